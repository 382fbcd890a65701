import * as vscode from "vscode";
import type { ChangesActionId } from "../../chat/page/protocol.ts";
import type { ChatSession } from "../../chat/session/chatSession.ts";
import { changedFiles, commandToolName } from "../../chat/transcript/steps.ts";
import {
  type AnswerTurn,
  isEndedEarly,
  type Transcript,
  visibleTurns,
} from "../../chat/transcript/transcript.ts";
import { fileCopyScheme } from "../../contributions.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import { decodeFile } from "../shared/readTextFile.ts";
import type { CopiedFile, FileCopies, WritingAnswer } from "./fileCopies.ts";
import { placeName } from "./toolPlaces.ts";
import { type LeftReason, undoFile } from "./undoFiles.ts";

/** A chat with answers that have written files. */
export interface ChangedChat {
  readonly id: string;
  readonly session: Pick<ChatSession, "transcript" | "settleChanges">;
}

/** Files that are named one by one when they could not be undone. */
const maxNamed = 3;

/** Reviews, keeps and undoes the files that an answer has written. */
export class AnswerChanges implements vscode.Disposable {
  readonly #copies: FileCopies;
  readonly #subscription: vscode.Disposable;
  /** Answers that are being kept or undone. */
  readonly #busy = new Set<string>();

  constructor(copies: FileCopies) {
    this.#copies = copies;
    this.#subscription = vscode.workspace.registerTextDocumentContentProvider(fileCopyScheme, {
      provideTextDocumentContent: (uri) => this.#textOfCopy(uri),
    });
  }

  /** Undoes the newest answer of the displayed branch with changes that are open. */
  async undoNewest(chat: ChangedChat): Promise<void> {
    const turn = visibleTurns(chat.session.transcript).findLast(
      (each) =>
        each.kind === "answer" && each.changes === undefined && changedFiles(each.steps ?? []).length > 0,
    );
    if (turn !== undefined) return this.run("undo", chat, turn.id);
    await showInformation(vscode.l10n.t("No answer in this chat has changes that can be undone."));
  }

  /** @param path one of the files, for a review; all files if absent */
  async run(action: ChangesActionId, chat: ChangedChat, turnId: string, path?: string): Promise<void> {
    if (action === "review") return this.#review({ chatId: chat.id, answerId: turnId }, path);
    const turn = findAnswer(chat.session.transcript, turnId);
    if (turn === undefined || this.#busy.has(turnId)) return;
    const refusal = refusalOf(turn, chat.session.transcript);
    if (refusal !== undefined) {
      await showInformation(refusal);
      return;
    }
    this.#busy.add(turnId);
    try {
      await (action === "keep" ? this.#keep(chat, turn) : this.#undo(chat, turn));
    } finally {
      this.#busy.delete(turnId);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #keep(chat: ChangedChat, { id }: AnswerTurn): Promise<void> {
    chat.session.settleChanges(id, "kept");
    await this.#copies.drop({ chatId: chat.id, answerId: id });
  }

  async #undo(chat: ChangedChat, turn: AnswerTurn): Promise<void> {
    const answer = { chatId: chat.id, answerId: turn.id };
    const files = await this.#copies.filesOf(answer);
    const names = new Set(files.map(({ uri }) => nameOfCopied(uri)));
    const uncopied = changedFiles(turn.steps ?? []).filter(({ path }) => !names.has(path));
    const sentences: string[] = [];
    const leftFiles: string[] = [];
    const undone: CopiedFile[] = [];
    const lefts: string[] = uncopied.map(({ path }) =>
      vscode.l10n.t("'{0}' was not undone because no copy of it was kept.", path),
    );
    for (const file of files) {
      const name = nameOfCopied(file.uri);
      const end = await undoFile(this.#copies, answer, file);
      if (end.kind === "left") {
        leftFiles.push(name);
        lefts.push(leftText(end.reason, name));
        continue;
      }
      undone.push(file);
      if (end.kind === "unsaved") {
        sentences.push(vscode.l10n.t("'{0}' also has unsaved text. Save the file to finish the undo.", name));
      }
    }
    const uris = undone.map(({ uri }) => uri);
    if (undone.length > 0) {
      await this.#copies.drop(answer, uris);
      chat.session.settleChanges(turn.id, "undone");
    }
    await this.#report(
      answer,
      [doneText(undone.length), ...sentences, ...commandText(turn)],
      lefts,
      leftFiles,
    );
  }

  async #report(
    answer: WritingAnswer,
    sentences: readonly string[],
    lefts: readonly string[],
    leftFiles: readonly string[],
  ): Promise<void> {
    if (lefts.length === 0) {
      void showInformation(sentences.join(" "));
      return;
    }
    const more = lefts.length - maxNamed;
    const moreText =
      more === 1
        ? vscode.l10n.t("1 more file was not undone.")
        : vscode.l10n.t("{0} more files were not undone.", more);
    const message = [...sentences, ...lefts.slice(0, maxNamed), ...(more > 0 ? [moreText] : [])].join(" ");
    const show = vscode.l10n.t("Show Changes");
    const shown = showWarning(message, ...(leftFiles.length > 0 ? [show] : []));
    // The notification may stay open for long, and the chat must not wait for it.
    void shown.then((chosen) => (chosen === show ? this.#openReview(answer, leftFiles) : undefined));
  }

  async #review(answer: WritingAnswer, path: string | undefined): Promise<void> {
    if (await this.#openReview(answer, path === undefined ? undefined : [path])) return;
    await showInformation(
      path === undefined
        ? vscode.l10n.t("There is nothing to compare because no copies of the files are kept.")
        : vscode.l10n.t("There is nothing to compare because no copy of '{0}' is kept.", path),
    );
  }

  /** Compares files with their copies from before the answer. False if there are no copies. */
  async #openReview(answer: WritingAnswer, paths: readonly string[] | undefined): Promise<boolean> {
    const files = (await this.#copies.filesOf(answer)).filter(
      ({ uri }) => paths?.includes(nameOfCopied(uri)) !== false,
    );
    const pairs = await Promise.all(files.map((file) => comparedUris(answer, file)));
    const [first] = pairs;
    if (first === undefined) return false;
    if (pairs.length === 1) {
      const title = vscode.l10n.t("{0} (before and after the answer)", placeName(first.file));
      await vscode.commands.executeCommand("vscode.diff", first.before, first.after, title);
      return true;
    }
    const title = vscode.l10n.t("Changes made by the answer");
    const resources = pairs.map(({ file, before, after }) => [file, before, after]);
    await vscode.commands.executeCommand("vscode.changes", title, resources);
    return true;
  }

  /** Undefined for an unknown copy. */
  async #textOfCopy(uri: vscode.Uri): Promise<string | undefined> {
    const [chatId = "", answerId = "", copy = ""] = uri.query.split("&");
    if (copy === "") return "";
    const answer = { chatId, answerId };
    const files = await this.#copies.filesOf(answer);
    if (!files.some(({ writes }) => writes[0]?.before === copy)) return undefined;
    const decoded = await decodeFile(await this.#copies.read(answer, copy), uri.with({ scheme: "file" }));
    return decoded.kind === "text" ? decoded.text : "";
  }
}

interface ComparedUris {
  readonly file: vscode.Uri;
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
}

/** A missing side is an empty document. */
async function comparedUris(
  { chatId, answerId }: WritingAnswer,
  { uri, writes }: CopiedFile,
): Promise<ComparedUris> {
  const file = vscode.Uri.parse(uri, true);
  const copy = file.with({ scheme: fileCopyScheme, authority: "" });
  const before = copy.with({ query: [chatId, answerId, writes[0]?.before ?? ""].join("&") });
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  return { file, before, after: isThere ? file : copy };
}

function nameOfCopied(uri: string): string {
  return placeName(vscode.Uri.parse(uri, true));
}

function findAnswer({ turns, arriving }: Transcript, turnId: string): AnswerTurn | undefined {
  const turn = arriving?.id === turnId ? arriving : turns.find(({ id }) => id === turnId);
  return turn?.kind === "answer" ? turn : undefined;
}

/** Tells why the changes of an answer cannot be kept or undone now. */
function refusalOf({ id, state, changes }: AnswerTurn, { arriving }: Transcript): string | undefined {
  // Another window may write the answer.
  if (arriving?.id === id || (state.kind !== "complete" && !isEndedEarly(state)))
    return vscode.l10n.t("The answer is still arriving. Stop it, or wait until it is complete.");
  if (changes === undefined) return undefined;
  return changes === "kept"
    ? vscode.l10n.t("The changes of this answer were already kept.")
    : vscode.l10n.t("The changes of this answer were already undone.");
}

function doneText(count: number): string {
  if (count === 0) return vscode.l10n.t("Nothing was undone.");
  return count === 1
    ? vscode.l10n.t("Undid the changes to 1 file.")
    : vscode.l10n.t("Undid the changes to {0} files.", count);
}

function leftText(reason: LeftReason, name: string): string {
  switch (reason) {
    case "changed-lines":
      return vscode.l10n.t("'{0}' was not undone because the same lines were changed later.", name);
    case "changed-new-file":
      return vscode.l10n.t("'{0}' was not deleted because it was changed later.", name);
    case "deleted":
      return vscode.l10n.t("'{0}' was not undone because it was deleted later.", name);
    case "elsewhere":
      return vscode.l10n.t("'{0}' was not undone because it is not in this workspace.", name);
    case "unknown":
      return vscode.l10n.t("'{0}' was not undone because VS Code closed while the file was written.", name);
    case "not-written":
      return vscode.l10n.t("'{0}' was not undone because it could not be written.", name);
  }
}

function commandText({ steps = [] }: AnswerTurn): readonly string[] {
  const hasRun = steps
    .flatMap(({ calls }) => calls)
    .some(
      ({ name, state }) =>
        name === commandToolName &&
        state.kind === "settled" &&
        state.result.outcome !== "denied" &&
        state.result.outcome !== "invalid",
    );
  return hasRun ? [vscode.l10n.t("Commands that ran were not undone.")] : [];
}
