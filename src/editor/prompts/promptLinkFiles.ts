import * as vscode from "vscode";
import { wholeStart } from "../../text/cutText.ts";
import { gatherFiles } from "../attachments/fileContext.ts";
import { Exclusions } from "../files/exclusions.ts";
import { type Gathered, refused, together } from "../attachments/gathered.ts";
import { isInWorkspace } from "../files/workspaceFiles.ts";

/**
 * The files that a prompt file links to, under the rules for anything that is attached. Nothing outside
 * of the workspace is as much as asked about: a prompt file must not be able to reach for it.
 */
export async function gatherLinkedFiles(promptFile: vscode.Uri, paths: readonly string[]): Promise<Gathered> {
  // The convention's paths are relative to the file; joining normalises what leads up.
  const links = paths.map((path) => ({
    path,
    uri: vscode.Uri.joinPath(promptFile, "..", ...path.replaceAll("\\", "/").split("/")),
  }));
  const refusals = await Promise.all(links.map(({ path, uri }) => refusalOf(path, uri)));
  const files = links.filter((_, index) => refusals[index] === undefined).map(({ uri }) => uri);
  return together([
    refused(...refusals.filter((refusal) => refusal !== undefined)),
    ...(await gatherFiles(files, new Exclusions())),
  ]);
}

async function refusalOf(path: string, uri: vscode.Uri): Promise<string | undefined> {
  const shown = wholeStart(path, 100);
  if (/^(?:[/\\~]|[a-z]:)/i.test(path) || !(await isInWorkspace(uri))) {
    return vscode.l10n.t("{0} was not attached: it is outside of this workspace.", shown);
  }
  return (await isFile(uri))
    ? undefined
    : vscode.l10n.t("{0} was not attached: there is no such file.", shown);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
