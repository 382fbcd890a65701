import * as vscode from "vscode";
import { extensionId } from "../../contributions.ts";

type Change = vscode.TextDocumentContentChangeEvent;

/** A place in a text editor, until the cursor leaves it or the text changes. */
export class CursorPlace implements vscode.Disposable {
  readonly editor: vscode.TextEditor;
  #position: vscode.Position;
  #version: number;
  readonly #leaving = new AbortController();
  readonly #subscription: vscode.Disposable;

  /** @param follow tells whether the cursor stays at its place after this change, behind the inserted text */
  constructor(editor: vscode.TextEditor, follow: (change: Change) => boolean = () => false) {
    this.editor = editor;
    this.#position = editor.selection.end;
    this.#version = editor.document.version;
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document !== editor.document || contentChanges.length === 0) return;
        const [change, ...others] = contentChanges;
        const isHere = change?.rangeLength === 0 && change.range.start.isEqual(this.#position);
        if (!isHere || others.length > 0 || !follow(change)) return this.#leaving.abort();
        this.#position = document.positionAt(change.rangeOffset + change.text.length);
        this.#version = document.version;
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
        const isHere = selection?.isEmpty === true && selection.active.isEqual(this.#position);
        if (textEditor === editor && !isHere) this.#leaving.abort();
      }),
      vscode.window.onDidChangeActiveTextEditor((active) => {
        if (active !== editor) this.#leaving.abort();
      }),
    );
  }

  /** Aborts when the place is left. */
  get left(): AbortSignal {
    return this.#leaving.signal;
  }

  isAt(document: vscode.TextDocument, position: vscode.Position): boolean {
    const isSame = document === this.editor.document && document.version === this.#version;
    return isSame && !this.left.aborted && position.isEqual(this.#position);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/**
 * Shows a text at the cursor as VS Code's ghost text. VS Code asks for it only while it is shown, so there is nothing
 * to ask while the user types. Typing what is shown keeps the rest.
 */
export class GhostText implements vscode.Disposable {
  #shown: vscode.Disposable | undefined;

  async show(editor: vscode.TextEditor, text: string): Promise<void> {
    this.dispose();
    let rest = text;
    const place = new CursorPlace(editor, (change) => {
      if (change.text === rest || !rest.startsWith(change.text)) return false;
      rest = rest.slice(change.text.length);
      return true;
    });
    const provideInlineCompletionItems = (
      document: vscode.TextDocument,
      position: vscode.Position,
    ): vscode.InlineCompletionItem[] =>
      place.isAt(document, position)
        ? [new vscode.InlineCompletionItem(rest, new vscode.Range(position, position))]
        : [];
    const provider = vscode.languages.registerInlineCompletionItemProvider(
      { scheme: editor.document.uri.scheme },
      { provideInlineCompletionItems },
    );
    const shown = vscode.Disposable.from(place, provider);
    this.#shown = shown;
    place.left.addEventListener("abort", () => {
      if (this.#shown === shown) this.dispose();
    });
    // VS Code shows no ghost text together with its list of suggestions.
    await vscode.commands.executeCommand("hideSuggestWidget");
    // Other providers are not asked, which could be billed.
    const providerId = `${extensionId}:*`;
    await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger", { providerId });
  }

  /** Takes the text away that VS Code shows, if there is any. */
  async hide(): Promise<void> {
    if (this.#shown === undefined) return;
    this.dispose();
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
  }

  /** Forgets the text. VS Code takes it away by itself when the cursor or the text changes. */
  dispose(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }
}
