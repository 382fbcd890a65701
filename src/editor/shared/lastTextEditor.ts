import * as vscode from "vscode";

/** The last used text editor whose document can be edited. It stays the last one while a chat in a tab is active. */
export class LastTextEditor implements vscode.Disposable {
  #last = asUsersOwn(vscode.window.activeTextEditor);
  readonly #subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
    this.#last = asUsersOwn(editor) ?? this.#last;
  });

  /** Undefined if no such text editor is visible. */
  get current(): vscode.TextEditor | undefined {
    const visible = vscode.window.visibleTextEditors;
    if (this.#last !== undefined && visible.includes(this.#last)) return this.#last;
    const shown = visible.find(({ document }) => document === this.#last?.document);
    return shown ?? visible.find((editor) => asUsersOwn(editor) !== undefined);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function asUsersOwn(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  return editor !== undefined && isWritable(editor.document.uri) ? editor : undefined;
}

/** Whether documents of this scheme can be edited. Output, proposals, and versions in Git can't. */
export function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme === "untitled" || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}
