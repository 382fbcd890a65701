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
import { decodeFile, openDocumentOf, readCell, readNotebook } from "../shared/readTextFile.ts";
import type { CopiedFile, FileCopies, WritingAnswer } from "./fileCopies.ts";
import { placeName } from "./toolPlaces.ts";
import { withPlainLineEnds } from "../../chat/agent/textEdit.ts";
import { rebaseChanges } from "../../chat/edits/proposedEdit.ts";
import { applyChanges, findChanges } from "../../text/lineChanges.ts";
import { findLoss } from "../files/encodingLoss.ts";
import { isOutside } from "../files/realPlaces.ts";
import { type NotebookCellText, readCellsCopy, writeSources } from "../../text/notebookText.ts";
import {
  openForEdit,
  openNotebook,
  replaceCells,
  replaceText,
  writeDocument,
  writeNotebook,
} from "./writeDocument.ts";

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
    for (const turn of visibleTurns(chat.session.transcript).toReversed()) {
      if (turn.kind === "answer" && turn.changes === undefined && (await this.#hasWritten(chat, turn)))
        return this.run("undo", chat, turn.id);
    }
    await showInformation(vscode.l10n.t("No answer in this chat has changes that can be undone."));
  }

  /** The window may have been closed after a write and before its result was stored. */
  async #hasWritten({ id }: ChangedChat, turn: AnswerTurn): Promise<boolean> {
    if (changedFiles(turn.steps ?? []).length > 0) return true;
    return (await this.#copies.filesOf({ chatId: id, answerId: turn.id })).length > 0;
  }

  /** @param path one of the files, for a review; all files if absent */
  async run(action: ChangesActionId, chat: ChangedChat, turnId: string, path?: string): Promise<void> {
    if (action === "review") return this.#review({ chatId: chat.id, answerId: turnId }, path);
    const turn = findAnswer(chat.session.transcript, turnId);
    if (turn === undefined || this.#busy.has(turnId)) return;
    const refusal = refusalOf(action, turn, chat.session.transcript);
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
    const earlier = await this.#copies.droppedOf(answer);
    const names = new Set([...files.map(({ uri }) => uri), ...earlier].map(nameOfCopied));
    const uncopied = changedFiles(turn.steps ?? []).filter(({ path }) => !names.has(path));
    const sentences: string[] = [];
    const leftFiles: string[] = [];
    const undone: string[] = [];
    let canTryAgain = false;
    const lefts: string[] = uncopied.map(({ path }) =>
      vscode.l10n.t("'{0}' was not undone because no copy of it was kept.", path),
    );
    for (const file of files) {
      const name = nameOfCopied(file.uri);
      const end = await undoFile(this.#copies, answer, file);
      if (end.kind === "left") {
        leftFiles.push(name);
        lefts.push(leftText(end.reason, name));
        canTryAgain ||= end.reason !== "unknown";
        continue;
      }
      undone.push(file.uri);
      if (end.kind === "unsaved") {
        sentences.push(vscode.l10n.t("'{0}' also has unsaved text. Save the file to finish the undo.", name));
      }
    }
    if (undone.length > 0) await this.#copies.drop(answer, undone);
    if (undone.length > 0 && !canTryAgain) chat.session.settleChanges(turn.id, "undone");
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
    void shown.then((chosen) =>
      chosen === show ? this.#openReview(answer, leftFiles).catch(() => undefined) : undefined,
    );
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
    const pairs = await Promise.all(
      files.map(async (file) => comparedUris(answer, file, await this.#isOfCells(answer, file))),
    );
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

  /** Whether the answer has changed cells of a notebook, so that the copies hold cells. */
  async #isOfCells(answer: WritingAnswer, { writes }: CopiedFile): Promise<boolean> {
    const before = writes[0]?.before;
    return typeof before === "string" && cellsIn(await this.#copies.read(answer, before)) !== undefined;
  }

  /** Undefined for an unknown copy. */
  async #textOfCopy(uri: vscode.Uri): Promise<string | undefined> {
    const [chatId = "", answerId = "", copy = ""] = uri.query.split("&");
    if (copy === "") return "";
    const answer = { chatId, answerId };
    const files = await this.#copies.filesOf(answer);
    const file = files.find(({ writes }) => writes[0]?.before === copy);
    if (file === undefined) return undefined;
    if (uri.fragment === "now")
      return writeSources((await readNotebook(vscode.Uri.parse(file.uri, true))) ?? []);
    const decoded = await decodeFile(await this.#copies.read(answer, copy), uri.with({ scheme: "file" }));
    if (decoded.kind !== "text") return "";
    const cells = readCellsCopy(decoded.text);
    return cells === undefined ? decoded.text : writeSources(cells);
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
  isOfCells: boolean,
): Promise<ComparedUris> {
  const file = vscode.Uri.parse(uri, true);
  const copy = file.with({ scheme: fileCopyScheme, authority: "" });
  const before = copy.with({ query: [chatId, answerId, writes[0]?.before ?? ""].join("&") });
  if (isOfCells) {
    // VS Code would check a text with the ending of a notebook as JSON.
    const cells = before.with({ path: `${file.path}.cells` });
    return { file, before: cells, after: cells.with({ fragment: "now" }) };
  }
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
function refusalOf(
  action: "keep" | "undo",
  { id, state, changes }: AnswerTurn,
  { arriving }: Transcript,
): string | undefined {
  if (action === "undo" && !vscode.workspace.isTrusted)
    return vscode.l10n.t("Changes can't be undone in Restricted Mode.");
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

/** The end of an undo of one file. */
type UndoEnd =
  | { readonly kind: "undone" }
  /** The document has unsaved text of the user, so the undo is not saved either. */
  | { readonly kind: "unsaved" }
  /** The file is as it was before the undo. */
  | { readonly kind: "left"; readonly reason: LeftReason };

type LeftReason =
  /** The lines that the answer wrote were changed later. */
  | "changed-lines"
  /** The answer made the file, and it was changed later. */
  | "changed-new-file"
  | "deleted"
  | "elsewhere"
  /** VS Code was closed while the answer wrote the file. */
  | "unknown"
  | "not-written";

const undone: UndoEnd = { kind: "undone" };

function left(reason: LeftReason): UndoEnd {
  return { kind: "left", reason };
}

/** One write of an answer, with the contents before and after it. */
interface Write {
  /** Undefined if the file did not exist. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** Takes the answer's changes back, and keeps what others have changed in the file since. */
async function undoFile(copies: FileCopies, answer: WritingAnswer, file: CopiedFile): Promise<UndoEnd> {
  const uri = vscode.Uri.parse(file.uri, true);
  if (await isOutside(uri)) return left("elsewhere");
  const writes = await readWrites(copies, answer, file);
  const [first] = writes ?? [];
  if (writes === undefined || first === undefined) return left("unknown");
  const now = await readIfThere(uri);
  const cells = first.before === undefined ? undefined : cellsIn(first.before);
  try {
    if (cells !== undefined) return now === undefined ? left("deleted") : await undoCells(uri, writes);
    return first.before === undefined
      ? await undoCreation(uri, writes, now, file.madeFolder)
      : await undoEdits(uri, writes, first.before, now);
  } catch {
    return left("not-written");
  }
}

async function readWrites(
  copies: FileCopies,
  answer: WritingAnswer,
  { writes }: CopiedFile,
): Promise<readonly Write[] | undefined> {
  const read: Write[] = [];
  for (const [index, write] of writes.entries()) {
    // The next write began with what this one left.
    const after = write.after ?? writes[index + 1]?.before ?? undefined;
    if (after === undefined) return undefined;
    const before = write.before === null ? undefined : await copies.read(answer, write.before);
    read.push({ before, after: await copies.read(answer, after) });
  }
  return read;
}

async function undoCreation(
  uri: vscode.Uri,
  [first, ...later]: readonly Write[],
  now: Uint8Array | undefined,
  madeFolder: string | undefined,
): Promise<UndoEnd> {
  if (now === undefined) return undone;
  const isOwn = first !== undefined && later.length === 0 && isSame(first.after, now);
  if (!isOwn || openDocumentOf(uri)?.isDirty === true) return left("changed-new-file");
  await deleteFile(uri);
  // The file is gone, whether or not its folder can be deleted.
  if (madeFolder !== undefined)
    await deleteEmptyFolders(uri, vscode.Uri.parse(madeFolder, true)).catch(() => undefined);
  return undone;
}

/** Moves a file to the trash, where the file system has one. */
async function deleteFile(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(uri);
  }
}

/** Deletes the folders that were made for a file, from the innermost on, up to one that is not empty. */
async function deleteEmptyFolders(file: vscode.Uri, topmost: vscode.Uri): Promise<void> {
  let folder = vscode.Uri.joinPath(file, "..");
  while (folder.path.startsWith(topmost.path) && folder.path.length >= topmost.path.length) {
    if ((await vscode.workspace.fs.readDirectory(folder)).length > 0) return;
    // Without `recursive`, VS Code keeps a folder that is no longer empty.
    await vscode.workspace.fs.delete(folder, { recursive: false });
    folder = vscode.Uri.joinPath(folder, "..");
  }
}

async function undoEdits(
  uri: vscode.Uri,
  writes: readonly Write[],
  before: Uint8Array,
  now: Uint8Array | undefined,
): Promise<UndoEnd> {
  if (now === undefined) return left("deleted");
  const [only] = writes;
  if (openDocumentOf(uri)?.isDirty !== true) {
    if (isSame(before, now)) return undone;
    if (writes.length === 1 && only !== undefined && isSame(only.after, now)) {
      await vscode.workspace.fs.writeFile(uri, before);
      return undone;
    }
  }
  const opened = await openForEdit(uri);
  if (opened.kind !== "text") return left("changed-lines");
  const { document } = opened;
  const text = await textWithout(writes, opened.text, document.encoding);
  if (text === undefined) return left("changed-lines");
  if (document.isDirty)
    return (await replaceText(document, text)) ? { kind: "unsaved" } : left("not-written");
  if ((await findLoss(document, text)) !== undefined) return left("not-written");
  return (await writeDocument(document, opened.text, text)) === "saved" ? undone : left("not-written");
}

/** Undefined for the contents of a file. */
function cellsIn(copy: Uint8Array): readonly NotebookCellText[] | undefined {
  return readCellsCopy(new TextDecoder().decode(copy));
}

async function undoCells(uri: vscode.Uri, writes: readonly Write[]): Promise<UndoEnd> {
  const notebook = await openNotebook(uri);
  if (notebook === undefined) return left("not-written");
  const { isDirty } = notebook;
  const cells = notebook.getCells();
  const before = cells.map((cell) => readCell(cell).source);
  const after = sourcesWithout(writes, before);
  if (after === undefined) return left("changed-lines");
  const changes = cells.flatMap((cell, index) => {
    const [old = "", fresh = ""] = [before[index], after[index]];
    return old === fresh ? [] : [{ cell, before: old, after: fresh }];
  });
  if (changes.length === 0) return undone;
  if (isDirty) return (await replaceCells(changes)) ? { kind: "unsaved" } : left("not-written");
  return (await writeNotebook(notebook, changes)) === "saved" ? undone : left("not-written");
}

/** The texts of the cells without the changes of these writes. Undefined if other changes touch the same lines. */
function sourcesWithout(writes: readonly Write[], now: readonly string[]): readonly string[] | undefined {
  const sources = [...now];
  for (const { before, after } of writes.toReversed()) {
    const [olds, news] = [cellsIn(before ?? Buffer.of()) ?? [], cellsIn(after) ?? []];
    if (olds.length !== news.length) return undefined;
    for (const [index, { source: written }] of news.entries()) {
      const old = olds[index]?.source ?? "";
      const isUndone = sources[index] === old && !sources.includes(written);
      if (old === written || isUndone) continue;
      const texts = sources.map((text) => withoutChange(text, { written, old }));
      const at = placeOfCell(sources, texts, written, index);
      const text = at === undefined ? undefined : texts[at];
      if (at === undefined || text === undefined) return undefined;
      sources[at] = text;
    }
  }
  return sources;
}

/** Undefined if other changes touch the same lines. */
function withoutChange(
  now: string,
  { written, old }: { readonly written: string; readonly old: string },
): string | undefined {
  const changes = rebaseChanges(written, now, findChanges(written, old));
  return changes.some(({ kind }) => kind === "conflict") ? undefined : applyChanges(now, changes);
}

/** Finds a cell again. Cells may have been added, deleted, moved and edited since it was written. */
function placeOfCell(
  sources: readonly string[],
  undoable: readonly (string | undefined)[],
  written: string,
  index: number,
): number | undefined {
  if (sources[index] === written) return index;
  const indices = [...sources.keys()];
  const same = indices.filter((each) => sources[each] === written);
  const places = same.length > 0 ? same : indices.filter((each) => undoable[each] !== undefined);
  return places.length === 1 ? places[0] : undefined;
}

/** The text without the changes of these writes. Undefined if other changes touch the same lines. */
async function textWithout(
  writes: readonly Write[],
  now: string,
  encoding: string,
): Promise<string | undefined> {
  const decode = async (bytes: Uint8Array): Promise<string> =>
    withPlainLineEnds(await vscode.workspace.decode(bytes, { encoding }));
  let text = now;
  for (const { before, after } of writes.toReversed()) {
    if (before === undefined) return undefined;
    const written = await decode(after);
    const without = withoutChange(text, { written, old: await decode(before) });
    if (without === undefined) return undefined;
    text = without;
  }
  return text;
}

/** Undefined for a missing file. */
async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
    throw error;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}
