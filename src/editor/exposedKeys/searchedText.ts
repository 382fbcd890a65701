import * as vscode from "vscode";
import { openDocumentOf } from "../shared/readTextFile.ts";

/** Maximum length of a searched text: UTF-16 code units of a document, bytes of a file. */
const maxSearchedLength = 2_000_000;

/** Returns false only if the document or file certainly does not exist. */
export async function mayExist(uri: vscode.Uri): Promise<boolean> {
  if (openDocumentOf(uri) !== undefined) return true;
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    const isGone = ["FileNotFound", "FileNotADirectory"];
    return !(error instanceof vscode.FileSystemError && isGone.includes(error.code));
  }
}

/** Returns the text of an open document, otherwise of the file. Undefined if too large or unreadable. */
export async function readSearchedText(uri: vscode.Uri): Promise<string | undefined> {
  const open = openDocumentOf(uri);
  if (open !== undefined) return isHuge(open) ? undefined : open.getText();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxSearchedLength) return undefined;
    return decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // The file was deleted since, or the user may not read it.
    return undefined;
  }
}

/** Computes the length without building the text. */
function isHuge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > maxSearchedLength;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
