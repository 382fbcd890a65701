import * as vscode from "vscode";
import {
  editCells,
  editText,
  mixesLineEnds,
  nearestText,
  type TextEdit,
  withPlainLineEnds,
} from "../../chat/agent/textEdit.ts";
import type { CallResult, EditCaution } from "../../chat/transcript/steps.ts";
import { compareTexts } from "../../files/fileDiff.ts";
import { wholeStart } from "../../text/cutText.ts";
import { writeCells, writeCellsCopy, writeSources } from "../../text/notebookText.ts";
import { characterText, type EncodingLoss, findLoss, findLostCharacter } from "../files/encodingLoss.ts";
import { isActing } from "../files/workspaceFiles.ts";
import { isOverWithin } from "../shared/abort.ts";
import { decodeFile, readCell, readNotebook } from "../shared/readTextFile.ts";
import { type AgentRun, defineTool, done, requireAllowed, ToolError } from "./agentTool.ts";
import { requireExisting } from "./toolPlaces.ts";
import {
  type CellChange,
  hasNotebookSaveActions,
  hasSaveActions,
  openForEdit,
  openNotebook,
  textOf,
  writeDocument,
  writeNotebook,
} from "./writeDocument.ts";
import {
  findFileToCreate,
  findFileToEdit,
  maxFileBytes,
  requireMissing,
  requireSamePlace,
  type WritePlace,
} from "./writeRules.ts";

/** Milliseconds to read and check a file, and to write it. The user's time is not counted. */
const timeoutMs = 60_000;
/** Milliseconds for a write that has begun when the user stops the answer. */
const graceMs = 5000;
/** Times that a card is shown again because the file has changed since. */
const maxRounds = 3;
/** UTF-16 code units of the changed lines in a result. */
const maxShownLength = 3000;

const pathParameter = {
  type: "string",
  description: "Path relative to the workspace, such as app/main.ts.",
  aliases: ["filePath", "file_path", "file"],
} as const;

export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replaces a text in a file of the workspace and saves the file. oldText must occur exactly once, with its indentation, and without the line numbers of read_file. Read the file first. In a notebook, oldText is a part of one cell.",
  parameters: {
    path: pathParameter,
    oldText: {
      type: "string",
      description: "The text to replace, with enough lines around it to occur only once.",
      aliases: ["old_text", "old_string", "oldString"],
    },
    newText: {
      type: "string",
      description: "The text to put in its place. Empty to delete the old text.",
      aliases: ["new_text", "new_string", "newString"],
    },
    replaceAll: {
      type: "boolean",
      description: "True to replace every occurrence of oldText. Default: false.",
      isOptional: true,
      aliases: ["replace_all"],
    },
  },
  endsItself: true,
  run: async ({ path, oldText, newText, replaceAll = false }, run) => {
    requirePlainText("newText", newText);
    const place = await prepared(findFileToEdit(path), run.signal);
    const edit = { oldText, newText, replaceAll };
    const cells = await prepared(readNotebook(place.uri), run.signal);
    const write = cells === undefined ? new FileEdit(place, edit, run) : new CellEdit(place, edit, run);
    return writeWithConsent(write, run);
  },
});

export const createFileTool = defineTool({
  name: "create_file",
  description: "Creates a text file in the workspace, with its folders. Fails if the file exists.",
  parameters: {
    path: pathParameter,
    content: {
      type: "string",
      description: "The whole text of the file.",
      aliases: ["contents", "text", "file_text", "fileText"],
    },
  },
  endsItself: true,
  run: async ({ path, content }, run) => {
    requirePlainText("content", content);
    const place = await prepared(findFileToCreate(path), run.signal);
    return writeWithConsent(new FileCreation(place, content), run);
  },
});

/** The model never saw the key that the mark stands for, and would overwrite it. */
function requirePlainText(name: string, text: string): void {
  if (text.includes("[API key]")) {
    throw new ToolError(
      `${name} holds the mark [API key], which stands for a key that was not sent. Change only lines without the mark. Nothing was changed.`,
    );
  }
  if (text.includes("\0")) throw new ToolError(`${name} holds a NUL character. Nothing was changed.`);
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new ToolError(`${name} is too large. Nothing was changed.`);
}

/** The effect of a write on a file as it is now. */
interface PlannedWrite {
  /** Undefined for a new file. Texts have `\n` as line ends. */
  readonly before: string | undefined;
  readonly after: string;
  /** The file as it is now. Undefined for a new file. */
  readonly bytes: Uint8Array | undefined;
  /** VS Code makes them equal on save. */
  readonly hasMixedLineEnds?: boolean;
  /** Absent for a new file and for a notebook. */
  readonly document?: vscode.TextDocument;
  readonly notebook?: vscode.NotebookDocument;
  /** The cells of the notebook that change. */
  readonly cells?: readonly CellChange[];
}

type WriteEnd =
  | { readonly kind: "written"; readonly text: string }
  /** The user types in the file. */
  | { readonly kind: "busy" }
  /** Nothing was changed. The reason is for the model. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The file may have been changed, or may be changed later. The reason is for the model. */
  | { readonly kind: "unknown"; readonly reason: string };

/** A write of one file. */
interface FileWrite {
  readonly place: WritePlace;
  /** The topmost folder that the write makes. */
  readonly madeFolder: string | undefined;
  /** The text that the model has read. Undefined for a new file. */
  readonly known: string | undefined;
  /** @throws ToolError if the file can no longer be written */
  plan(): Promise<PlannedWrite>;
  write(planned: PlannedWrite): Promise<WriteEnd>;
  /** The contents to copy after the write, in the form of `PlannedWrite.bytes`. */
  readWritten(): Promise<Uint8Array>;
}

/**
 * Asks the user if necessary, keeps a copy for undo, and writes. Shows another card if the file has changed while the
 * card was open.
 */
async function writeWithConsent(write: FileWrite, run: AgentRun): Promise<CallResult> {
  const { signal } = run;
  let asked = "";
  let canCopy = true;
  let wasBusy = false;
  for (let round = 0; ;) {
    const planned = await prepared(write.plan(), signal);
    const cautions = await prepared(cautionsOf(write.place, planned, canCopy, run), signal);
    const question = JSON.stringify([planned.before, planned.after, cautions]);
    if (mustAsk(write.place, cautions, run) && question !== asked) {
      if (round === maxRounds) break;
      await ask(write.place, planned, cautions, run);
      asked = question;
      round += 1;
      continue;
    }
    await prepared(requireSamePlace(write.place), signal);
    if (!cautions.includes("no-undo") && !(await keepCopy(write, planned, run))) {
      canCopy = false;
      continue;
    }
    signal.throwIfAborted();
    const work = write.write(planned);
    const end = await finished(work, signal);
    if (end.kind === "written") return written(write, planned, end.text, run);
    if (end.kind === "unknown") {
      void work.then(
        (late) => noteLateEnd(write, late, run),
        () => copyWritten(write, run),
      );
      const facts = { path: write.place.name, ...(planned.before === undefined ? { isNew: true } : {}) };
      return { outcome: "failed", text: end.reason, facts };
    }
    await cancelCopy(write.place, run);
    if (end.kind === "failed") throw new ToolError(end.reason);
    if (wasBusy) break;
    wasBusy = true;
  }
  throw new ToolError(
    `${write.place.name} changes again and again, for example because the user types in it. Nothing was changed. Read the file and try again.`,
  );
}

async function cautionsOf(
  { uri, given }: WritePlace,
  { bytes, document, notebook }: PlannedWrite,
  canCopy: boolean,
  run: AgentRun,
): Promise<readonly EditCaution[]> {
  const { copies } = run.services;
  const hasRoom = canCopy && (await copies.hasRoom(answerOf(run), uri.toString(), bytes).catch(() => false));
  return [
    // A program may read the file by the name of a link.
    ...((await isActing(given)) || (await isActing(uri)) ? (["acting-file"] as const) : []),
    ...((document ?? notebook)?.isDirty === true ? (["unsaved-text"] as const) : []),
    ...((document !== undefined && hasSaveActions(document)) ||
    (notebook !== undefined && hasNotebookSaveActions(notebook))
      ? (["save-actions"] as const)
      : []),
    ...(hasRoom ? [] : (["no-undo"] as const)),
    ...(run.allowed.hasOutsideContent ? (["outside-content"] as const) : []),
  ];
}

function isOrdinary({ alwaysAsks }: WritePlace, cautions: readonly EditCaution[]): boolean {
  return !alwaysAsks && cautions.every((caution) => caution === "save-actions");
}

function mustAsk(place: WritePlace, cautions: readonly EditCaution[], { allowed }: AgentRun): boolean {
  return !allowed.allowsEdits || !isOrdinary(place, cautions);
}

/** @throws DeniedError */
async function ask(
  place: WritePlace,
  planned: PlannedWrite,
  cautions: readonly EditCaution[],
  run: AgentRun,
): Promise<void> {
  const canAllowForAnswer = isOrdinary(place, cautions);
  const diff = changedLines(planned).join("\n");
  const scope = await requireAllowed(
    run.ask({
      type: "edit",
      path: place.shownName,
      isNew: planned.before === undefined,
      diff: await run.clean(diff),
      cautions,
      canAllowForAnswer,
    }),
  );
  if (scope === "answer" && canAllowForAnswer) run.allowed.allowEdits();
}

/** The diff of the write. In a notebook, its lines count from the start of a cell, which their heading names. */
function changedLines({ before = "", after, cells }: PlannedWrite): readonly string[] {
  if (cells === undefined) return compareTexts(before, after).text;
  return cells.flatMap((change) =>
    compareTexts(change.before, change.after).text.map((line) =>
      line.startsWith("@@") ? `${line} cell ${change.cell.index + 1}` : line,
    ),
  );
}

/** False if there is no room on the disk, for example. */
async function keepCopy(
  { place, madeFolder }: FileWrite,
  { bytes }: PlannedWrite,
  run: AgentRun,
): Promise<boolean> {
  try {
    await run.services.copies.begin(answerOf(run), place.uri.toString(), bytes, madeFolder);
    return true;
  } catch {
    return false;
  }
}

async function cancelCopy({ uri }: WritePlace, run: AgentRun): Promise<void> {
  await run.services.copies.cancel(answerOf(run), uri.toString()).catch(() => undefined);
}

/** Copies the written file. Without this copy, undo says that it cannot tell what the answer has changed. */
async function copyWritten(write: FileWrite, run: AgentRun): Promise<void> {
  const { copies } = run.services;
  const copy = async (): Promise<void> =>
    copies.end(answerOf(run), write.place.uri.toString(), await write.readWritten());
  await copy().catch(() => undefined);
}

/** The model was told that the outcome is unknown, and the user can still undo the write. */
async function noteLateEnd(write: FileWrite, end: WriteEnd, run: AgentRun): Promise<void> {
  await (end.kind === "written" ? copyWritten(write, run) : cancelCopy(write.place, run));
}

async function written(
  write: FileWrite,
  planned: PlannedWrite,
  text: string,
  run: AgentRun,
): Promise<CallResult> {
  const { known, place } = write;
  const { before, after, hasMixedLineEnds = false } = planned;
  const { uri, name } = place;
  await copyWritten(write, run);
  await run.services.readTexts.note(run.chatId, uri, text);
  const { added, removed } = compareTexts(before ?? "", text);
  const isNew = before === undefined;
  const parts = [
    isNew ? `Created ${name}.` : `Edited and saved ${name}.`,
    ...(isNew ? [] : [await shownLines(changedLines(planned), run)]),
    ...(known === undefined || before === undefined || known === before
      ? []
      : [
          "Since you read the file, somebody else had changed this:",
          await shownLines(compareTexts(known, before).text, run),
        ]),
    ...(text === after
      ? []
      : [
          "When it was saved, VS Code or an extension also changed this:",
          await shownLines(compareTexts(after, text).text, run),
        ]),
    ...(hasMixedLineEnds ? ["The lines of the file ended in different ways. Now they all end alike."] : []),
  ];
  return done(parts.join("\n"), { path: name, added, removed, ...(isNew ? { isNew } : {}) });
}

async function shownLines(lines: readonly string[], run: AgentRun): Promise<string> {
  // Cutting first would leave a part of a key that is no longer found.
  const text = await run.clean(lines.join("\n"));
  return text.length <= maxShownLength
    ? text
    : `${wholeStart(text, maxShownLength)}\n(The rest of the change is not shown.)`;
}

function answerOf({ chatId, answerId }: AgentRun): { readonly chatId: string; readonly answerId: string } {
  return { chatId, answerId };
}

class FileEdit implements FileWrite {
  readonly place: WritePlace;
  readonly madeFolder = undefined;
  known: string | undefined;
  readonly #edit: TextEdit;
  readonly #run: AgentRun;

  constructor(place: WritePlace, edit: TextEdit, run: AgentRun) {
    this.place = place;
    this.#edit = edit;
    this.#run = run;
  }

  async plan(): Promise<PlannedWrite> {
    const { uri, name } = this.place;
    await requireExisting(uri);
    const opened = await openForEdit(uri);
    if (opened.kind === "binary") throw new ToolError(`${name} is not a text file. Nothing was changed.`);
    if (opened.kind === "outdated") {
      throw new ToolError(
        `${name} has just changed on the disk, and VS Code has not read it again. Nothing was changed. Read the file again.`,
      );
    }
    const { document, text, bytes } = opened;
    const read = document.isDirty ? undefined : await decodeFile(bytes, uri);
    if (read !== undefined && read.kind !== "text")
      throw new ToolError(`${name} is not a text file. Nothing was changed.`);
    const loss = await findLoss(document, withPlainLineEnds(this.#edit.newText));
    if (loss !== undefined) throw new ToolError(`${lossText(name, loss)} Nothing was changed.`);
    this.known ??= await requireKnown(this.place, text, this.#run);
    const edited = editText(text, this.#edit);
    if (edited.kind !== "edited") {
      // Cutting a line first would leave a part of a key that is no longer found.
      const nearest =
        edited.kind === "missing" ? nearestText(await this.#run.clean(text), this.#edit.oldText) : "";
      throw new ToolError(`${edited.fault}${nearest}\nNothing was changed in ${name}.`);
    }
    const hasMixedLineEnds = read !== undefined && mixesLineEnds(read.text);
    return { before: text, after: edited.text, bytes, document, hasMixedLineEnds };
  }

  async write({ before = "", after, document }: PlannedWrite): Promise<WriteEnd> {
    if (document === undefined) return { kind: "busy" };
    switch (await writeDocument(document, before, after)) {
      case "saved":
        return { kind: "written", text: textOf(document) };
      case "busy":
        return { kind: "busy" };
      case "unsaved": {
        const reason = `${this.place.name} could not be saved: it may be read-only, or the disk may be full. The file was not changed.`;
        return { kind: "failed", reason };
      }
    }
  }

  readWritten(): Promise<Uint8Array> {
    return readBytesAgain(this.place);
  }
}

async function readBytesAgain({ uri }: WritePlace): Promise<Uint8Array> {
  return vscode.workspace.fs.readFile(uri);
}

/** Returns the text if the model knows it. Later changes, while the card is open, are shown in the next card. */
async function requireKnown(
  { name, uri }: WritePlace,
  text: string,
  { services, chatId }: AgentRun,
): Promise<string> {
  switch (await services.readTexts.knowledgeOf(chatId, uri, text)) {
    case "unread":
      throw new ToolError(
        `${name} was not read in this chat. Read it with read_file first. Nothing was changed.`,
      );
    case "changed":
      throw new ToolError(`${name} has changed since you read it. Read it again. Nothing was changed.`);
    case "known":
      return text;
  }
}

/** Replaces a text within cells of a notebook. Texts for comparing hold all cells, without outputs. */
class CellEdit implements FileWrite {
  readonly place: WritePlace;
  readonly madeFolder = undefined;
  known: string | undefined;
  readonly #edit: TextEdit;
  readonly #run: AgentRun;

  constructor(place: WritePlace, edit: TextEdit, run: AgentRun) {
    this.place = place;
    this.#edit = edit;
    this.#run = run;
  }

  async plan(): Promise<PlannedWrite> {
    const { uri, name } = this.place;
    await requireExisting(uri);
    const notebook = await openNotebook(uri);
    if (notebook === undefined)
      throw new ToolError(`VS Code cannot open ${name} as a notebook. Nothing was changed.`);
    const cells = notebook.getCells().map((cell) => ({ cell, ...readCell(cell) }));
    const before = writeSources(cells);
    this.known ??= await requireKnown(this.place, before, this.#run);
    const edited = editCells(cells, this.#edit);
    if (edited.kind !== "edited") {
      const nearest =
        edited.kind === "missing"
          ? nearestText(await this.#run.clean(writeCells(cells)), this.#edit.oldText)
          : "";
      throw new ToolError(`${edited.fault}${nearest}\nNothing was changed in ${name}.`);
    }
    const after = writeSources(
      cells.map((each, index) => ({ ...each, source: edited.sources[index] ?? "" })),
    );
    const changes = cells.flatMap(({ cell, source }, index): readonly CellChange[] => {
      const newText = edited.sources[index] ?? "";
      return newText === source ? [] : [{ cell, before: source, after: newText }];
    });
    return { before, after, bytes: Buffer.from(writeCellsCopy(cells)), notebook, cells: changes };
  }

  async write({ notebook, cells = [] }: PlannedWrite): Promise<WriteEnd> {
    if (notebook === undefined) return { kind: "busy" };
    const end = await writeNotebook(notebook, cells);
    if (end === "busy") return { kind: "busy" };
    if (end === "saved") return { kind: "written", text: writeSources(notebook.getCells().map(readCell)) };
    const reason = `${this.place.name} could not be saved: it may be read-only, or the disk may be full. The file was not changed.`;
    return { kind: "failed", reason };
  }

  async readWritten(): Promise<Uint8Array> {
    return Buffer.from(writeCellsCopy((await readNotebook(this.place.uri)) ?? []));
  }
}

function lossText(name: string, loss: EncodingLoss): string {
  return loss.kind === "file"
    ? `VS Code reads ${name} in another encoding than its own, so saving would damage it. Tell the user to reopen it with its encoding.`
    : `The encoding of ${name} has no character ${characterText(loss.character)}.`;
}

class FileCreation implements FileWrite {
  readonly place: WritePlace;
  readonly known = undefined;
  madeFolder: string | undefined;
  readonly #content: string;

  constructor(place: WritePlace, content: string) {
    this.place = place;
    this.#content = content;
  }

  async plan(): Promise<PlannedWrite> {
    const { uri, name } = this.place;
    await requireMissing(this.place);
    const lost = await findLostCharacter(uri, this.#content);
    if (lost !== undefined) {
      throw new ToolError(
        `${name} was not created: the encoding in the user's settings has no character ${characterText(lost)}.`,
      );
    }
    this.madeFolder = await topmostMissingFolder(uri);
    return { before: undefined, after: withPlainLineEnds(this.#content), bytes: undefined };
  }

  readWritten(): Promise<Uint8Array> {
    return readBytesAgain(this.place);
  }

  async write(): Promise<WriteEnd> {
    const { uri, name } = this.place;
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { contents: await vscode.workspace.encode(this.#content, { uri }) });
    const isDone = await vscode.workspace.applyEdit(edit);
    if (!isDone) {
      const reason = `${name} could not be created: a part of its path may be a file, or the folder may be read-only. Nothing was created.`;
      return { kind: "failed", reason };
    }
    const text = await readText(uri).catch(() => undefined);
    return { kind: "written", text: withPlainLineEnds(text ?? this.#content) };
  }
}

/** Undefined for a file that VS Code does not read as text. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const decoded = await decodeFile(await vscode.workspace.fs.readFile(uri), uri);
  return decoded.kind === "text" ? decoded.text : undefined;
}

async function topmostMissingFolder(uri: vscode.Uri): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = vscode.Uri.joinPath(uri, ".."); ; folder = vscode.Uri.joinPath(folder, "..")) {
    const isThere = await vscode.workspace.fs.stat(folder).then(
      () => true,
      () => false,
    );
    if (isThere || folder.path === "/") return missing;
    missing = folder.toString();
  }
}

/** Resolves with the work, unless the user stops the answer. @throws ToolError if it takes too long */
async function prepared<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const isOver = await isOverWithin(work, timeoutMs, signal);
  signal.throwIfAborted();
  if (!isOver) {
    throw new ToolError(
      `The file could not be read within ${timeoutMs / 1000} seconds. Nothing was changed.`,
    );
  }
  return work;
}

/** A write that has begun goes on when the user stops the answer, so that its outcome is known. */
async function finished(work: Promise<WriteEnd>, signal: AbortSignal): Promise<WriteEnd> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => void (timer = setTimeout(() => ending.abort(), graceMs));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const isOver = await isOverWithin(work, timeoutMs, ending.signal);
    if (isOver && !ending.signal.aborted) return await work;
    const reason =
      "VS Code did not finish writing the file, so it is unknown whether it was changed. Read the file again.";
    return { kind: "unknown", reason };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = `VS Code failed while it wrote the file, so it is unknown whether it was changed. Read the file again. The error: ${text}`;
    return { kind: "unknown", reason };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
