import * as vscode from "vscode";
import type { ToWebview } from "../../chat/page/protocol.ts";
import { chatPageParts, pageDocument } from "./pageDocument.ts";

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
  const title = vscode.l10n.t("Inference Chat");
  return pageDocument(
    { ...chatPageParts, language: vscode.env.language, title, source: webview.cspSource },
    (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString(),
  );
}
