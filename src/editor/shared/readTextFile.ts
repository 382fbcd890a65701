import { readFile, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { decodeBytes, type Decoded, dependsOnSetting, type EditorReading } from "../../text/decodeBytes.ts";
import { encodingName } from "../../text/encodingNames.ts";
import {
  type CellOutput,
  isWrittenForm,
  type NotebookCellText,
  readNotebookJson,
} from "../../text/notebookText.ts";
import { isNotebook, openNotebookOf } from "./notebooks.ts";

/** VS Code's names of encodings that a language's setting or a guess may select. */
const otherEncodings = (
  "utf8 shiftjis eucjp gb18030 cp950 big5hkscs euckr windows1252 windows1251 windows1250 windows1253 windows1254 " +
  "windows1255 windows1256 windows1257 windows874 koi8r iso88592 iso88595 iso88597 iso88598"
).split(" ");

/**
 * Reads the bytes of a file. Reads a local file directly, since VS Code asks its window about each file.
 * @throws Error of the system, or of VS Code for a remote file
 */
export async function readBytes(uri: vscode.Uri): Promise<Uint8Array> {
  return uri.scheme === "file" ? readFile(uri.fsPath) : vscode.workspace.fs.readFile(uri);
}

export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** A pipe or a device is none of both. */
  readonly isFile: boolean;
  readonly isFolder: boolean;
}

/** Describes a file or the target of a link, read like `readBytes`; undefined if it is missing or unreadable. */
export async function findFile(uri: vscode.Uri): Promise<FileFacts | undefined> {
  try {
    if (uri.scheme === "file") {
      const stats = await stat(uri.fsPath);
      return { size: stats.size, isFile: stats.isFile(), isFolder: stats.isDirectory() };
    }
    const { size, type } = await vscode.workspace.fs.stat(uri);
    const { File, Directory } = vscode.FileType;
    return { size, isFile: (type & File) !== 0, isFolder: (type & Directory) !== 0 };
  } catch {
    return undefined;
  }
}

/**
 * Reads a file as text: from its open document, or else from its bytes.
 * @param bytes if they were read before
 */
export async function readTextFile(uri: vscode.Uri, bytes?: Uint8Array): Promise<Decoded> {
  const open = openDocumentOf(uri);
  const text = open?.getText();
  // A document in the wrong encoding contains U+FFFD. Its bytes may show the right encoding.
  if (open !== undefined && text !== undefined && (open.isDirty || !text.includes("\ufffd"))) {
    const unread = text.split("\ufffd").length - 1;
    return { kind: "text", text, encoding: encodingName(open.encoding), guessed: false, unread };
  }
  return decodeFile(bytes ?? (await readBytes(uri)), uri);
}

/** Reads the text of a file on disk; undefined if unreadable, not text, too large, or a refused link. */
export async function readSmallText(
  uri: vscode.Uri,
  { maxBytes, mayBeLink }: { readonly maxBytes: number; readonly mayBeLink: boolean },
): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes || (!mayBeLink && type !== vscode.FileType.File)) return undefined;
    const decoded = await decodeFile(await vscode.workspace.fs.readFile(uri), uri);
    return decoded.kind === "text" ? decoded.text : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes a file by its settings and its bytes. `uri` is missing for a dropped file. */
export async function decodeFile(bytes: Uint8Array, uri?: vscode.Uri): Promise<Decoded> {
  return decodeBytes(bytes, dependsOnSetting(bytes) ? await readByEditor(bytes, uri) : undefined);
}

/** Resolves to undefined if VS Code reads all files as UTF-8, or can't decode all bytes of this one. */
async function readByEditor(
  bytes: Uint8Array,
  uri: vscode.Uri | undefined,
): Promise<EditorReading | undefined> {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (isUtf8ForAll(files)) return undefined;
  try {
    const text = await (uri === undefined
      ? vscode.workspace.decode(bytes)
      : vscode.workspace.decode(bytes, { uri }));
    if (text.includes("\ufffd")) return undefined;
    const encoding = await nameOfReading(bytes, text, files.get("encoding", "utf8"));
    return encoding === undefined
      ? undefined
      : { text, encoding, guessed: files.get("autoGuessEncoding", false) };
  } catch {
    // VS Code does not accept the bytes as text.
    return undefined;
  }
}

/** Whether VS Code reads every file of every language as UTF-8, so that its setting adds nothing. */
function isUtf8ForAll(files: vscode.WorkspaceConfiguration): boolean {
  const settings = ["encoding", "autoGuessEncoding"] as const;
  const ofLanguages = settings.flatMap((name) => files.inspect(name)?.languageIds ?? []);
  const isUtf8 = /^utf8(?:bom)?$/.test(files.get("encoding", "utf8"));
  return isUtf8 && !files.get("autoGuessEncoding", false) && ofLanguages.length === 0;
}

/**
 * Finds the encoding that VS Code used, because VS Code does not report it. A language's setting or a guess may have
 * overridden `setting`.
 */
async function nameOfReading(bytes: Uint8Array, text: string, setting: string): Promise<string | undefined> {
  for (const encoding of [setting, ...otherEncodings]) {
    if ((await vscode.workspace.decode(bytes, { encoding })) === text) return encodingName(encoding);
  }
  return undefined;
}

/** The document of a file; undefined if the file is not open. */
export function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/**
 * Reads the cells of an open notebook, saved or not, or of a Jupyter notebook's file. Undefined if the file is no
 * notebook or can't be read as one.
 */
export async function readNotebook(uri: vscode.Uri): Promise<readonly NotebookCellText[] | undefined> {
  const open = openNotebookOf(uri);
  if (open !== undefined) return open.getCells().map(readCell);
  if (!isNotebook(uri)) return undefined;
  const decoded = await readTextFile(uri);
  return decoded.kind === "text" ? readNotebookJson(decoded.text) : undefined;
}

/** Reads a cell of an open notebook. */
export function readCell({ kind, document, outputs }: vscode.NotebookCell): NotebookCellText {
  return {
    kind: kind === vscode.NotebookCellKind.Markup ? "markdown" : "code",
    language: document.languageId,
    source: document.getText().replaceAll(/\r\n?/gu, "\n"),
    outputs: outputs.map(({ items }): CellOutput =>
      items.map(({ mime, data }) =>
        isWrittenForm(mime) ? { type: mime, text: new TextDecoder().decode(data) } : { type: mime },
      ),
    ),
  };
}
