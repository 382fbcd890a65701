import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { escapeHtml } from "../escapeHtml.ts";

/** The frame of a page of results; what stands on it is posted to it. */
export function reportPageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, title: string): string {
  const nonce = randomBytes(16).toString("base64url");
  const inBundle = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString();
  const policy = ["default-src 'none'", `script-src 'nonce-${nonce}'`, `style-src ${webview.cspSource}`];
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${inBundle("chat.css")}">
<link rel="stylesheet" href="${inBundle("report.css")}">
<title>${escapeHtml(title)}</title>
</head>
<body class="report-body">
<div id="root"></div>
<script nonce="${nonce}" type="module" src="${inBundle("report.js")}"></script>
</body>
</html>`;
}
