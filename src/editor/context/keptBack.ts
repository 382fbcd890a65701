import type * as vscode from "vscode";
import type { Exclusions } from "./exclusions.ts";
import { isOutside, isSensitiveFile } from "./realPlaces.ts";

/** Whether a file is left out where files are gathered that nobody named: then nothing is asked. */
export async function isKeptBack(uri: vscode.Uri, exclusions: Exclusions): Promise<boolean> {
  return (
    (await isOutside(uri)) ||
    (await isSensitiveFile(uri)) ||
    (await exclusions.exclusionOf(uri)) !== undefined ||
    (await exclusions.faultyPatternOf(uri)) !== undefined
  );
}
