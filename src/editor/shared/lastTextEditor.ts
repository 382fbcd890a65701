import * as vscode from "vscode";
import { fileOf, findCell } from "./notebooks.ts";

/**
 * The last used text editor whose document can be edited. It stays the last one while a chat in a tab is active. In a
 * notebook, it is the editor of the active cell, if the text of this cell was edited last.
 */
export class LastTextEditor implements vscode.Disposable {
  #last = asUsersOwn(vscode.window.activeTextEditor);
  #lastNotebook = vscode.window.activeNotebookEditor;
  readonly #subscription = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const own = asUsersOwn(editor);
      this.#last = own ?? this.#last;
      if (own !== undefined && !isInNotebook(own)) this.#lastNotebook = undefined;
    }),
    vscode.window.onDidChangeActiveNotebookEditor((editor) => {
      this.#lastNotebook = editor ?? this.#lastNotebook;
    }),
  );

  /** Undefined if no such text editor is visible. */
  get current(): vscode.TextEditor | undefined {
    const visible = vscode.window.visibleTextEditors;
    const isSame = this.#last !== undefined && visible.includes(this.#last);
    const last = isSame ? this.#last : visible.find(({ document }) => document === this.#last?.document);
    if (this.notebook !== undefined) return last?.document === this.cell?.document ? last : undefined;
    // Only the active cell of a notebook counts.
    return last ?? visible.find((editor) => asUsersOwn(editor) !== undefined && !isInNotebook(editor));
  }

  /** The notebook that was used last. Undefined if it isn't visible or can't be edited, or if a file was used since. */
  get notebook(): vscode.NotebookEditor | undefined {
    const visible = vscode.window.visibleNotebookEditors;
    return visible.find((editor) => editor === this.#lastNotebook && isWritable(editor.notebook.uri));
  }

  /** The active cell of that notebook, also while its text isn't edited. */
  get cell(): vscode.NotebookCell | undefined {
    const editor = this.notebook;
    if (editor === undefined || editor.notebook.cellCount === 0) return undefined;
    return editor.notebook.cellAt(editor.selection.start);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function isInNotebook({ document }: vscode.TextEditor): boolean {
  return findCell(document.uri) !== undefined;
}

function asUsersOwn(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  return editor !== undefined && isWritable(editor.document.uri) ? editor : undefined;
}

/** Whether documents of this scheme can be edited. Output, proposals, and versions in Git can't. */
export function isWritable(uri: vscode.Uri): boolean {
  const { scheme } = fileOf(uri);
  return scheme === "untitled" || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}
