import * as vscode from "vscode";
import { withPlainLineEnds } from "../../chat/agent/textEdit.ts";
import { commonStart } from "../../text/cutText.ts";
import type { Decoded } from "../../text/decodeBytes.ts";
import { isOverWithin } from "../shared/abort.ts";
import { openNotebookOf } from "../shared/notebooks.ts";
import { openDocumentOf, readNotebook, readTextFile } from "../shared/readTextFile.ts";

/** Milliseconds until VS Code has read a file that another program has changed. */
const reloadMs = 10_000;

/** How a document was opened for an edit. */
export type OpenedDocument =
  | {
      readonly kind: "text";
      readonly document: vscode.TextDocument;
      /** With `\n` as line ends. */
      readonly text: string;
      /** The contents to copy before a write. With unsaved text, they differ from those on the disk. */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "binary" }
  /** VS Code shows other text than there is on the disk. */
  | { readonly kind: "outdated" };

/** Opens a file without showing it, as it is on the disk or with the user's unsaved text. Rejects if it is missing. */
export async function openForEdit(uri: vscode.Uri): Promise<OpenedDocument> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  const document = await openText(uri);
  if (document === undefined) return { kind: "binary" };
  if (document.isDirty) {
    const unsaved = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
    return { kind: "text", document, text: textOf(document), bytes: unsaved };
  }
  if (!(await isUpToDate(document, bytes))) return { kind: "outdated" };
  return { kind: "text", document, text: textOf(document), bytes };
}

/** VS Code refuses to open binary files, and texts with NUL. */
async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/** The document's text with `\n` as line ends. */
export function textOf(document: vscode.TextDocument): string {
  return withPlainLineEnds(document.getText());
}

/** Reads a file as text. Waits until VS Code shows what another program has just written. */
export async function readFreshText(uri: vscode.Uri): Promise<Decoded> {
  const document = openDocumentOf(uri);
  if (document?.isDirty === false) await isUpToDate(document, await vscode.workspace.fs.readFile(uri));
  return readTextFile(uri);
}

/** VS Code reads a file again some time after another program has written it. */
async function isUpToDate(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  const onDisk = withPlainLineEnds(await decode(bytes, document.encoding));
  const isSame = (): boolean => textOf(document) === onDisk;
  if (isSame()) return true;
  let subscription: vscode.Disposable | undefined;
  const reloaded = new Promise<void>((resolve) => {
    subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && isSame()) resolve();
    });
  });
  try {
    return await isOverWithin(reloaded, reloadMs);
  } finally {
    subscription?.dispose();
  }
}

/** Also for an encoding that does not fit, which VS Code refuses for some bytes. */
async function decode(bytes: Uint8Array, encoding: string): Promise<string> {
  try {
    return await vscode.workspace.decode(bytes, { encoding });
  } catch {
    return "";
  }
}

/**
 * Replaces the text of a document and saves it at once, so that VS Code opens no tab.
 * Resolves to `busy` if the user types in the document, and to `unsaved` if it could not be saved. Then it has its
 * earlier text again.
 *
 * @param before the text that is replaced, with `\n` as line ends
 */
export async function writeDocument(
  document: vscode.TextDocument,
  before: string,
  after: string,
): Promise<"saved" | "busy" | "unsaved"> {
  if (textOf(document) !== before || !(await replaceText(document, after))) return "busy";
  if (await document.save()) return "saved";
  const isOurs = textOf(document) === after;
  if (isOurs) await replaceText(document, before);
  return "unsaved";
}

/** A new text for a cell of an open notebook. Texts have `\n` as line ends. */
export interface CellChange {
  readonly cell: vscode.NotebookCell;
  readonly before: string;
  readonly after: string;
}

/** Opens a notebook without showing it. Undefined for a file that is no notebook, or that VS Code can't open as one. */
export async function openNotebook(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  try {
    if ((await readNotebook(uri)) === undefined) return undefined;
    return openNotebookOf(uri) ?? (await vscode.workspace.openNotebookDocument(uri));
  } catch {
    return undefined;
  }
}

/** Like `writeDocument`, for cells of a notebook. Their outputs stay. */
export async function writeNotebook(
  notebook: vscode.NotebookDocument,
  changes: readonly CellChange[],
): Promise<"saved" | "busy" | "unsaved"> {
  if (!(await replaceCells(changes))) return "busy";
  if (await notebook.save()) return "saved";
  await replaceCells(changes.map(({ cell, before, after }) => ({ cell, before: after, after: before })));
  return "unsaved";
}

/** Replaces the texts of cells in one edit. False if one of them has another text by now, or is gone. */
export async function replaceCells(changes: readonly CellChange[]): Promise<boolean> {
  const isReady = changes.every(
    ({ cell, before }) => !cell.document.isClosed && textOf(cell.document) === before,
  );
  if (!isReady) return false;
  const edit = new vscode.WorkspaceEdit();
  for (const { cell, after } of changes) addReplacement(edit, cell.document, after);
  return vscode.workspace.applyEdit(edit);
}

/** Replaces what differs. False if the user types in the document. @param after with `\n` as line ends */
export async function replaceText(document: vscode.TextDocument, after: string): Promise<boolean> {
  if (textOf(document) === after) return true;
  const edit = new vscode.WorkspaceEdit();
  addReplacement(edit, document, after);
  return vscode.workspace.applyEdit(edit);
}

function addReplacement(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, after: string): void {
  const before = textOf(document);
  const start = commonStart(before, after);
  const left = Math.min(before.length, after.length) - start;
  let end = 0;
  while (end < left && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // Half of a surrogate pair is no character.
  if (end > 0 && /^[\udc00-\udfff]/u.test(before.slice(before.length - end, before.length - end + 1)))
    end -= 1;
  const range = new vscode.Range(positionAt(before, start), positionAt(before, before.length - end));
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  edit.replace(document.uri, range, after.slice(start, after.length - end).replaceAll("\n", lineEnd));
}

/** Lines end with one character here, whatever they end with in the document. */
function positionAt(text: string, offset: number): vscode.Position {
  const ahead = text.slice(0, offset);
  const lineStart = ahead.lastIndexOf("\n") + 1;
  return new vscode.Position(ahead.split("\n").length - 1, offset - lineStart);
}

/** Whether saving this notebook lets formatters or other actions change its cells. */
export function hasNotebookSaveActions({ uri }: vscode.NotebookDocument): boolean {
  const notebook = vscode.workspace.getConfiguration("notebook", uri);
  const actions: unknown = notebook.get("codeActionsOnSave");
  return notebook.get("formatOnSave.enabled") === true || runsAny(actions);
}

function runsAny(actions: unknown): boolean {
  return (
    typeof actions === "object" &&
    actions !== null &&
    Object.values(actions).some((when) => when !== false && when !== "never")
  );
}

/** Whether saving this document lets formatters or other actions change it. */
export function hasSaveActions({ uri, languageId }: vscode.TextDocument): boolean {
  const scope = { uri, languageId };
  const editor = vscode.workspace.getConfiguration("editor", scope);
  const files = vscode.workspace.getConfiguration("files", scope);
  const runs = runsAny(editor.get("codeActionsOnSave"));
  const trims = ["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"];
  return editor.get("formatOnSave") === true || runs || trims.some((name) => files.get(name) === true);
}
