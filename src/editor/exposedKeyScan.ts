import * as vscode from "vscode";
import type { SearchedKey } from "../connection/exposedKeys.ts";
import { type ExposedKeyDiagnostics, maxSearchedLength } from "./exposedKeyDiagnostics.ts";

/** What a scan saw; numbers only. */
export interface ScanResult {
  readonly filesSearched: number;
  /** Too large, or not readable. */
  readonly filesSkipped: number;
  readonly filesWithKeys: number;
  readonly keysFound: number;
}

/** Searches every file of the workspace that `files.exclude` does not hide; `.gitignore` has no say. */
export async function scanWorkspace(
  exposed: ExposedKeyDiagnostics,
  keys: readonly SearchedKey[],
  onFile: (done: number, total: number) => void,
  token: vscode.CancellationToken,
): Promise<ScanResult> {
  const files = await vscode.workspace.findFiles("**/*", undefined, undefined, token);
  exposed.forgetClosedFiles();
  const result = { filesSearched: 0, filesSkipped: 0, filesWithKeys: 0, keysFound: 0 };
  for (const [index, uri] of files.entries()) {
    if (token.isCancellationRequested) break;
    onFile(index, files.length);
    const text = await readText(uri);
    if (text === undefined) {
      result.filesSkipped += 1;
      continue;
    }
    const found = exposed.mark(uri, text, keys);
    result.filesSearched += 1;
    result.keysFound += found;
    if (found > 0) result.filesWithKeys += 1;
  }
  return result;
}

/** An open document's text as it stands, else the file's; undefined where it is too large or unreadable. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxSearchedLength) return undefined;
    return decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // Gone meanwhile, or not for this user to read: it is counted as skipped.
    return undefined;
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
