import * as vscode from "vscode";
import { emptyView, openEmptyView } from "./contract.ts";

/** A webview with only a text box: the smallest possible chat. */
const html = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>Empty</title></head>
<body><textarea aria-label="Message"></textarea></body>
</html>`;

export function registerEmptyView(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(emptyView, {
      resolveWebviewView: ({ webview }) => {
        // The bench runs scripts in this page, as it does in ours.
        webview.options = { enableScripts: true };
        webview.html = html;
      },
    }),
    vscode.commands.registerCommand(openEmptyView, () =>
      vscode.commands.executeCommand(`${emptyView}.focus`),
    ),
  );
}
