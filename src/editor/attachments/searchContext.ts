import * as vscode from "vscode";
import { isSensitiveName } from "../../files/sensitiveName.ts";
import { wholeStart } from "../../text/cutText.ts";
import { promptForText } from "../shared/promptForText.ts";
import { withDelayedProgress } from "../shared/delayedProgress.ts";
import { readSmallText } from "../shared/readTextFile.ts";
import { FileListing } from "../files/fileIndex.ts";
import { isWithheld } from "../files/exclusions.ts";
import { attached, type Gathered, nothing, refused } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { resolvePath } from "../files/workspacePaths.ts";

const maxResults = 500;
const maxFiles = 20_000;
const maxFileBytes = 1024 * 1024;
const maxLineCharacters = 300;

/** Gathers the lines of workspace files that contain a text the user enters, ignoring case. */
export async function gatherSearch(): Promise<Gathered> {
  const searched = await promptForText({
    title: vscode.l10n.t("Attach Search Results"),
    prompt: vscode.l10n.t("Text to search for in workspace files"),
    validate: (text) =>
      text.trim() === ""
        ? { message: vscode.l10n.t("Enter some text."), severity: vscode.InputBoxValidationSeverity.Error }
        : undefined,
  });
  if (searched === undefined) return nothing;
  const found = await withDelayedProgress(vscode.l10n.t("Searching for '{0}'...", searched), (signal) =>
    search(searched, signal),
  );
  if (found === undefined) return nothing;
  const { lines, isCut } = found;
  if (lines.length === 0) {
    return refused(
      isCut
        ? vscode.l10n.t("None of the first {0} files in this workspace contains '{1}'.", maxFiles, searched)
        : vscode.l10n.t("No workspace file contains '{0}'.", searched),
    );
  }
  return attached(
    createTextAttachment({
      kind: "search",
      name: vscode.l10n.t("Search: {0}", searched),
      text: `${[...lines, ...(isCut ? ["[more results left out]"] : [])].join("\n")}\n`,
      detail:
        lines.length === 1
          ? vscode.l10n.t("1 line containing {0}", searched)
          : vscode.l10n.t("{0} lines containing {1}", lines.length, searched),
    }),
  );
}

interface FoundLines {
  readonly lines: readonly string[];
  /** Whether more matches can exist. */
  readonly isCut: boolean;
}

/** Undefined if canceled. */
async function search(searched: string, signal: AbortSignal): Promise<FoundLines | undefined> {
  const lines: string[] = [];
  const lower = searched.toLowerCase();
  const { whole, paths, exclusions } = new FileListing(signal, maxFiles);
  await whole;
  for (const path of paths.slice(0, maxFiles)) {
    if (signal.aborted) return undefined;
    const uri = resolvePath(path);
    if (uri === undefined || isSensitiveName(uri.path)) continue;
    if ((await exclusions.exclusionOfName(uri)) !== undefined) continue;
    const text = await readSmallText(uri, { maxBytes: maxFileBytes, mayBeLink: true });
    if (text === undefined || !text.toLowerCase().includes(lower)) continue;
    // Resolve links only for files with a match, because there are few.
    if (await isWithheld(uri, exclusions)) continue;
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (!line.toLowerCase().includes(lower)) continue;
      lines.push(`${path}:${index + 1}: ${wholeStart(line, maxLineCharacters)}`);
      if (lines.length === maxResults) return { lines, isCut: true };
    }
  }
  return { lines, isCut: paths.length >= maxFiles };
}
