import { randomBytes } from "node:crypto";
import frameStyle from "page:styles/frame.css";
import frameScript from "page:frame.ts";
import * as vscode from "vscode";
import type { ToWebview } from "../../chat/panelProtocol.ts";
import { escapeHtml } from "../../escapeHtml.ts";

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

/** What the page's code takes over (`webview/page.tsx`), with what was typed there: no more than a box for text. */
function emptyPage(): string {
  const label = escapeHtml(vscode.l10n.t("Message"));
  const hint = escapeHtml(vscode.l10n.t("Ask a question, # to attach, / for prompts"));
  return `<main class="page"><div class="conversation"></div><section class="composer"><textarea data-early dir="auto" rows="2" aria-label="${label}" placeholder="${hint}"></textarea><div class="composer-row"></div></section></main>`;
}

function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const inBundle = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${frameStyle}</style>
<link rel="modulepreload" nonce="${nonce}" href="${inBundle("chat.js")}">
<link rel="modulepreload" nonce="${nonce}" href="${inBundle("chunk.js")}">
<link rel="preload" as="style" href="${inBundle("chat.css")}">
<title>${vscode.l10n.t("Inference Chat")}</title>
</head>
<body>
<div id="root">${emptyPage()}</div>
<script nonce="${nonce}">${frameScript}</script>
</body>
</html>`;
}
