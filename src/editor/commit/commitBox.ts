import * as vscode from "vscode";
import { commonStart } from "../../text/cutText.ts";
import { chooseRepository } from "../attachments/gitContext.ts";
import { findRepositories, type GitRepository } from "../files/gitRepositories.ts";
import { showInformation } from "../shared/notices.ts";
import { isTooLong, readCommitMessage } from "../../chat/commit/commitMessage.ts";

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

/** A repository of the git extension whose commit message can be written. */
export interface CommitRepository extends GitRepository {
  /** The box above the changes. */
  readonly inputBox: { value: string };
}

/**
 * The repository whose button was pressed, which the editor names by its source control; else the only
 * one, or the one the user picks. Undefined where that was said to the user, or on Escape.
 */
export async function findCommitRepository(pressed: unknown): Promise<CommitRepository | undefined> {
  const repositories = (await findRepositories())?.filter(hasBox);
  if (repositories === undefined || repositories.length === 0) {
    const message =
      repositories === undefined
        ? vscode.l10n.t("VS Code's Git extension isn't available, so the diff can't be created.")
        : vscode.l10n.t("No git repository is open in this workspace.");
    void showInformation(message);
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

/** An extension may change its interface; what is not as it should be is not used. */
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

/** Milliseconds between two writes into the box, each of which costs the editor an edit. */
const writeInterval = 100;

/** One message on its way into a box, which follows it for as long as nobody types. */
export class CommitWriting {
  readonly box: CommitBox;
  /** What the box held before. */
  readonly before: string;
  /** What stays above the message: the user's own text, with an empty line. */
  readonly above: string;
  /** What was written into the box last. */
  shown: string;
  /** Whether the user has typed since, so that the box is theirs. */
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

  /** What has come of the message, if nothing follows. */
  get message(): string {
    return readCommitMessage(this.#answer);
  }

  /** More has come than any message has. */
  get isTooLong(): boolean {
    return isTooLong(this.#answer);
  }

  push(text: string): void {
    this.#answer += text;
    if (this.#writing !== undefined || performance.now() - this.#wroteAt < writeInterval) return;
    this.#writing = this.#write(readCommitMessage(this.#answer, false))
      // Tried again with what comes next, and at the end.
      .catch(() => undefined)
      .finally(() => {
        this.#wroteAt = performance.now();
        this.#writing = undefined;
      });
  }

  /** Has the whole message in the box, by one edit: one undo takes it back however often it was written. */
  async finish(): Promise<void> {
    await this.#writing;
    const isWritten = this.#writes === 1 && this.shown === this.above + this.message;
    if (this.#writes > 0 && !isWritten) await this.restore();
    await this.#write(this.message);
  }

  /** The box is as it was, unless it is the user's by now. */
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
