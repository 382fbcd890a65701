import * as vscode from "vscode";
import { decodeText } from "../../chat/binaryContent.ts";
import { isSensitiveName } from "../../chat/sensitiveName.ts";
import { askText } from "../askText.ts";
import { toAbortSignal } from "../cancellation.ts";
import { excludeGlob } from "./excludeGlob.ts";
import { Exclusions } from "./exclusions.ts";
import { attached, type Gathered, nothing, refused } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { shownPath } from "./workspacePaths.ts";

const mostResults = 500;
const mostFiles = 20_000;
const largestFile = 1024 * 1024;
const longestLine = 300;

/** The lines of the workspace's files that hold a text, upper and lower case alike. */
export async function gatherSearch(): Promise<Gathered> {
  const searched = await askText({
    title: vscode.l10n.t("Attach Search Results"),
    prompt: vscode.l10n.t("A text to look for in the files of this workspace"),
    validate: (text) =>
      text.trim() === ""
        ? { message: vscode.l10n.t("Type a text."), severity: vscode.InputBoxValidationSeverity.Error }
        : undefined,
  });
  if (searched === undefined) return nothing;
  const lines = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Searching for {0}", searched),
      cancellable: true,
    },
    (_progress, token) => search(searched, toAbortSignal(token)),
  );
  if (lines === undefined) return nothing;
  if (lines.length === 0) return refused(vscode.l10n.t("No file of this workspace holds {0}.", searched));
  return attached(
    createTextAttachment({
      kind: "search",
      name: vscode.l10n.t("Search: {0}", searched),
      text: `${lines.join("\n")}\n`,
      detail: vscode.l10n.t("{0} lines that hold {1}", lines.length, searched),
    }),
  );
}

/** Undefined where it was cancelled. */
async function search(searched: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const lines: string[] = [];
  const exclusions = new Exclusions();
  const lower = searched.toLowerCase();
  for (const uri of await vscode.workspace.findFiles("**/*", excludeGlob(), mostFiles)) {
    if (signal.aborted) return undefined;
    if (isSensitiveName(uri.path) || (await exclusions.exclusionOf(uri)) !== undefined) continue;
    const text = await readSmallText(uri);
    if (text === undefined || !text.toLowerCase().includes(lower)) continue;
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (!line.toLowerCase().includes(lower)) continue;
      lines.push(`${shownPath(uri)}:${index + 1}: ${line.slice(0, longestLine)}`);
      if (lines.length === mostResults) return [...lines, "[more results left out]"];
    }
  }
  return lines;
}

async function readSmallText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > largestFile ? undefined : decodeText(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
