import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ToWebview } from "../../chat/panelProtocol.ts";

/** Lets a webview hold the chat page; the page is loaded once `load` is called. */
export function preparePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
): { readonly post: (message: ToWebview) => void; readonly load: () => void } {
  const resources = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [resources] };
  return {
    // A page that is hidden drops what is posted; it asks for a snapshot when it is shown again.
    post: (message) => void webview.postMessage(message).then(undefined, () => undefined),
    load: () => {
      webview.html = pageHtml(webview, extensionUri);
    },
  };
}

function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const inBundle = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="modulepreload" nonce="${nonce}" href="${inBundle("chunk.js")}">
<script nonce="${nonce}" type="module" src="${inBundle("chat.js")}"></script>
<link rel="stylesheet" href="${inBundle("chat.css")}">
<title>${vscode.l10n.t("Inference Chat")}</title>
</head>
<body>
<div id="root"></div>
</body>
</html>`;
}
