import * as vscode from "vscode";
import { sizeText } from "../files/sizeText.ts";
import { nameOf } from "../files/workspacePaths.ts";

/**
 * Bytes. The largest question takes 160 MiB of a file and the largest answer 48 MiB, or 96 MiB where all of it is
 * escaped. Much more is not put into memory: no string of the editor's is longer than 512 MiB.
 */
const largestImport = 256 * 1024 * 1024;

/** A sentence for people, where a file is too large to be read as a chat. */
export async function tooLargeToImport(file: vscode.Uri): Promise<string | undefined> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size <= largestImport) return undefined;
  return vscode.l10n.t(
    "{0} was not read: it is too large ({1}; the limit is {2}).",
    nameOf(file),
    sizeText(size),
    sizeText(largestImport),
  );
}
