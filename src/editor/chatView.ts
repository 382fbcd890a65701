import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ToWebview } from "../chat/panelProtocol.ts";
import { viewId } from "../contributions.ts";
import type { ChatPanel } from "./chatPanel.ts";

/** The chat view in the side bar: the page's frame; what is said over it is the panel's. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #loadPanel: () => Promise<ChatPanel>;
  readonly #registration: vscode.Disposable;

  constructor(extensionUri: vscode.Uri, loadPanel: () => Promise<ChatPanel>) {
    this.#extensionUri = extensionUri;
    this.#loadPanel = loadPanel;
    this.#registration = vscode.window.registerWebviewViewProvider(viewId, this);
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const { webview } = view;
    let disposed = false;
    view.onDidDispose(() => {
      disposed = true;
    });
    const panel = await this.#loadPanel();
    if (disposed) return;
    const resources = [
      vscode.Uri.joinPath(this.#extensionUri, "dist", "webview"),
      vscode.Uri.joinPath(this.#extensionUri, "media"),
    ];
    webview.options = { enableScripts: true, localResourceRoots: resources };
    const post = (message: ToWebview): void => {
      // A page that is hidden drops what is posted; it asks for a snapshot when it is shown again.
      webview.postMessage(message).then(undefined, () => undefined);
    };
    const detach = panel.attach(post);
    const receiving = webview.onDidReceiveMessage((message: unknown) => panel.receive(message));
    view.onDidDispose(() => {
      receiving.dispose();
      detach();
    });
    webview.html = pageHtml(webview, this.#extensionUri);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", "chat.js"));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "media", "chat.css"));
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
<link rel="stylesheet" href="${style.toString()}">
<title>${vscode.l10n.t("Inference Chat")}</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" type="module" src="${script.toString()}"></script>
</body>
</html>`;
}
