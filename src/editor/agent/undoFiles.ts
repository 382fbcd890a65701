import * as vscode from "vscode";
import { withPlainLineEnds } from "../../chat/agent/textEdit.ts";
import { rebaseChanges } from "../../chat/edits/proposedEdit.ts";
import { applyChanges, findChanges } from "../../text/lineChanges.ts";
import { findLoss } from "../files/encodingLoss.ts";
import { isOutside } from "../files/realPlaces.ts";
import { openDocumentOf } from "../shared/readTextFile.ts";
import type { CopiedFile, FileCopies, WritingAnswer } from "./fileCopies.ts";
import { openForEdit, replaceText, writeDocument } from "./writeDocument.ts";

/** The end of an undo of one file. */
export type UndoEnd =
  | { readonly kind: "undone" }
  /** The document has unsaved text of the user, so the undo is not saved either. */
  | { readonly kind: "unsaved" }
  /** The file is as it was before the undo. */
  | { readonly kind: "left"; readonly reason: LeftReason };

export type LeftReason =
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
export async function undoFile(
  copies: FileCopies,
  answer: WritingAnswer,
  file: CopiedFile,
): Promise<UndoEnd> {
  const uri = vscode.Uri.parse(file.uri, true);
  if (await isOutside(uri)) return left("elsewhere");
  const writes = await readWrites(copies, answer, file);
  const [first] = writes ?? [];
  if (writes === undefined || first === undefined) return left("unknown");
  const now = await readIfThere(uri);
  try {
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
  await vscode.workspace.fs.delete(uri);
  if (madeFolder !== undefined) await deleteEmptyFolders(uri, vscode.Uri.parse(madeFolder, true));
  return undone;
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
    const changes = rebaseChanges(written, text, findChanges(written, await decode(before)));
    if (changes.some(({ kind }) => kind === "conflict")) return undefined;
    text = applyChanges(text, changes);
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
