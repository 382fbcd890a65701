import * as vscode from "vscode";
import { commonStart } from "../../text/cutText.ts";
import { chooseRepository } from "../attachments/gitContext.ts";
import {
  findRepositories,
  type GitRepository,
  missingGitText,
  showGitNotice,
} from "../files/gitRepositories.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import { isTooLong, readCommitMessage } from "../../chat/commit/commitMessage.ts";

/**
 * The commit message box of a repository, changed by edits of its document. VS Code refuses an edit if the user types
 * at the same time. Undo in the box reverts an edit.
 */
export class CommitBox {
  readonly #repository: CommitRepository;

  constructor(repository: CommitRepository) {
    this.#repository = repository;
  }

  get text(): string {
    return plain(this.#document?.getText() ?? this.#repository.inputBox.value);
  }

  /** Replaces the text. Returns false and leaves the text unchanged if it is not the expected text. */
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

  /** VS Code names the document after the repository's root. */
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

/** Converts the length of the text's end from LF to the document's line endings. */
function tail(document: vscode.TextDocument, characters: number): number {
  const whole = plain(document.getText());
  const lineEnds = whole.slice(whole.length - characters).split("\n").length - 1;
  return characters + (document.eol === vscode.EndOfLine.CRLF ? lineEnds : 0);
}

/** A repository of the Git extension with a commit message box. */
export interface CommitRepository extends GitRepository {
  /** The box above the changes. */
  readonly inputBox: { value: string };
}

/**
 * Returns the repository whose button was pressed, identified by its source control. If no button was pressed, returns
 * the only repository or the user's selection. Undefined on Escape or after an error notice.
 */
export async function findCommitRepository(pressed: unknown): Promise<CommitRepository | undefined> {
  const repositories = (await findRepositories())?.filter(hasBox);
  if (repositories === undefined || repositories.length === 0) {
    if (repositories === undefined) reportError(showGitNotice(missingGitText()));
    else void showInformation(vscode.l10n.t("No git repository is open in this workspace."));
    return undefined;
  }
  const root = rootOf(pressed);
  if (root === undefined) return chooseRepository(repositories);
  const found = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (found === undefined) {
    void showInformation(vscode.l10n.t("VS Code's Git extension doesn't know this repository."));
  }
  return found;
}

/** Checks the shape of the API, because the Git extension can change it. */
function hasBox(repository: GitRepository): repository is CommitRepository {
  const { inputBox, state }: Partial<CommitRepository> = repository;
  const lists = [state?.indexChanges, state?.workingTreeChanges, state?.mergeChanges];
  return typeof inputBox?.value === "string" && lists.every((list) => Array.isArray(list));
}

function rootOf(pressed: unknown): string | undefined {
  const isObject = typeof pressed === "object" && pressed !== null;
  const root = isObject && "rootUri" in pressed ? pressed.rootUri : undefined;
  return root instanceof vscode.Uri ? root.toString() : undefined;
}

/** Minimum time between two writes into the box, in milliseconds. Each write is an edit. */
const writeInterval = 100;

/** Streams one message into a box until the user types there. */
export class CommitWriting {
  readonly box: CommitBox;
  /** The original text of the box. */
  readonly before: string;
  /** The user's own text and an empty line. Both stay above the message. */
  readonly above: string;
  /** The text that was written into the box last. */
  shown: string;
  /** Whether the user has typed in the box. If so, the box is no longer changed. */
  typed = false;
  #answer = "";
  #writes = 0;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;

  constructor(box: CommitBox, before: string, above: string) {
    this.box = box;
    this.before = before;
    this.above = above;
    this.shown = before;
  }

  /** The message in the answer so far. */
  get message(): string {
    return readCommitMessage(this.#answer);
  }

  /** Whether the answer is longer than any commit message. */
  get isTooLong(): boolean {
    return isTooLong(this.#answer);
  }

  push(text: string): void {
    this.#answer += text;
    if (this.#writing !== undefined || performance.now() - this.#wroteAt < writeInterval) return;
    this.#writing = this.#write(readCommitMessage(this.#answer, false))
      // The next write tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#wroteAt = performance.now();
        this.#writing = undefined;
      });
  }

  /** Replaces all writes so far with one edit, which contains the whole message. One undo then reverts it. */
  async finish(): Promise<void> {
    await this.#writing;
    const isWritten = this.#writes === 1 && this.shown === this.above + this.message;
    if (this.#writes > 0 && !isWritten) await this.restore();
    await this.#write(this.message);
  }

  /** Restores the original text, unless the user has typed since. */
  async restore(): Promise<void> {
    await this.#writing;
    await this.#replace(this.before);
  }

  async #write(message: string): Promise<void> {
    if (message !== "") await this.#replace(this.above + message);
  }

  async #replace(text: string): Promise<void> {
    if (this.typed || text === this.shown) return;
    this.typed = !(await this.box.replace(this.shown, text));
    if (this.typed) return;
    this.shown = text;
    this.#writes += 1;
  }
}
