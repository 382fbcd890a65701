import * as vscode from "vscode";
import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ExposedKeyDiagnostics } from "./exposedKeyDiagnostics.ts";
import { readSearchedText } from "./searchedText.ts";

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
    const text = await readSearchedText(uri);
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
