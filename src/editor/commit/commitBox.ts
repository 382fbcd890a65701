import * as vscode from "vscode";
import { commonStart } from "../../text/cutText.ts";
import type { CommitRepository } from "./commitRepository.ts";

/**
 * The box of a repository's commit message. It is changed by edits of its document, which the editor
 * refuses where the user has typed since, and which the box's own undo takes back.
 */
export class CommitBox {
  readonly #repository: CommitRepository;

  constructor(repository: CommitRepository) {
    this.#repository = repository;
  }

  get text(): string {
    return plain(this.#document?.getText() ?? this.#repository.inputBox.value);
  }

  /** False where the box holds another text than expected, which stays. */
  async replace(expected: string, text: string): Promise<boolean> {
    const document = this.#document;
    if (this.text !== expected) return false;
    if (document === undefined) {
      this.#repository.inputBox.value = text;
      return true;
    }
    const same = commonStart(expected, text);
    const start = document.positionAt(document.getText().length - tail(document, expected.length - same));
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    edit.replace(document.uri, new vscode.Range(start, end), text.slice(same));
    return vscode.workspace.applyEdit(edit);
  }

  /** The editor names it by the repository. */
  get #document(): vscode.TextDocument | undefined {
    const query = `rootUri=${encodeURIComponent(this.#repository.rootUri.toString())}`;
    return vscode.workspace.textDocuments.find(
      ({ uri }) =>
        uri.scheme === "vscode-scm" && (uri.query === query || uri.query === decodeURIComponent(query)),
    );
  }
}

function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** How many of the document's own characters the last so many of the plain text are. */
function tail(document: vscode.TextDocument, characters: number): number {
  const whole = plain(document.getText());
  const lineEnds = whole.slice(whole.length - characters).split("\n").length - 1;
  return characters + (document.eol === vscode.EndOfLine.CRLF ? lineEnds : 0);
}
