import * as vscode from "vscode";
import { maxPromptFileLength } from "../../chat/prompts/promptFile.ts";
import { Exclusions } from "../files/exclusions.ts";
import { quotePattern } from "../files/faultyExcludes.ts";
import { isSensitiveFile } from "../files/realPlaces.ts";
import { sizeText, isInWorkspace } from "../files/workspaceFiles.ts";
import { shownPath } from "../files/workspacePaths.ts";
import { decodeFile, openDocumentOf } from "../shared/readTextFile.ts";

/** The current content of a file with a prompt or instructions. */
export type SmallFile =
  | { readonly kind: "text"; readonly text: string }
  /** The file does not exist, or the user excludes it from the chat. */
  | { readonly kind: "none" }
  /** A sentence for the user. */
  | { readonly kind: "problem"; readonly sentence: string };

/** Reads a file of a trusted workspace. Refuses a file outside the workspace, after resolving symbolic links. */
export async function readSmallFile(uri: vscode.Uri): Promise<SmallFile> {
  const name = shownPath(uri);
  const size = await sizeOf(uri);
  const exclusions = new Exclusions();
  if (size === undefined || (await exclusions.isExcluded(uri, "chat.exclude"))) return { kind: "none" };
  const pattern = await exclusions.faultyPatternOf(uri, ["chat.exclude"]);
  if (pattern !== undefined) {
    return problem(
      vscode.l10n.t(
        "'{0}' was not read because it might be excluded: the pattern '{1}' can't be read.",
        name,
        quotePattern(pattern),
      ),
    );
  }
  if (!(await isInWorkspace(uri))) return problem(outsideText(uri, name));
  if (await isSensitiveFile(uri)) {
    return problem(vscode.l10n.t("'{0}' was not read because it might contain keys or passwords.", name));
  }
  const tooLarge = vscode.l10n.t(
    "'{0}' is too large to read ({1}, the limit is {2}).",
    name,
    sizeText(size),
    sizeText(maxPromptFileLength),
  );
  if (size > maxPromptFileLength) return problem(tooLarge);
  try {
    const text = await readText(uri);
    if (text === undefined)
      return problem(vscode.l10n.t("'{0}' was not read because it is not a text file.", name));
    return text.length > maxPromptFileLength ? problem(tooLarge) : { kind: "text", text };
  } catch {
    return problem(vscode.l10n.t("Couldn't read '{0}'.", name));
  }
}

/** Returns the unsaved text of an open document. Otherwise reads the file, because the document may be outdated. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const open = openDocumentOf(uri);
  if (open?.isDirty === true) return open.getText();
  const decoded = await decodeFile(await vscode.workspace.fs.readFile(uri), uri);
  return decoded.kind === "text" ? decoded.text : undefined;
}

function outsideText({ scheme }: vscode.Uri, name: string): string {
  return scheme === "file"
    ? vscode.l10n.t(
        "'{0}' was not read because a symbolic link in its path leads outside this workspace.",
        name,
      )
    : vscode.l10n.t(
        "'{0}' was not read because its path contains a symbolic link that can't be checked.",
        name,
      );
}

function problem(sentence: string): SmallFile {
  return { kind: "problem", sentence };
}

/** Size in bytes; undefined if `uri` is not a file. */
async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) === 0 ? undefined : size;
  } catch {
    return undefined;
  }
}
