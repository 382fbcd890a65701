import * as vscode from "vscode";
import { pageDocument } from "../page/pageDocument.ts";

/** The frame of a page of results; what stands on it is posted to it. */
export function reportPageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, title: string): string {
  return pageDocument(
    {
      language: vscode.env.language,
      title,
      source: webview.cspSource,
      script: "report.js",
      styles: ["chat.css", "report.css"],
      bodyClass: "report-body",
    },
    (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString(),
  );
}
