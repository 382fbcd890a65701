import * as vscode from "vscode";
import { gatherFile } from "../context/fileContext.ts";
import { Exclusions } from "../context/exclusions.ts";
import { type Gathered, refused, together } from "../context/gathered.ts";
import { isInWorkspace } from "../workspaceFiles.ts";

/**
 * The files that a prompt file links to, under the rules for anything that is attached. Nothing outside
 * of the workspace is as much as asked about: a prompt file must not be able to reach for it.
 */
export async function gatherLinkedFiles(promptFile: vscode.Uri, paths: readonly string[]): Promise<Gathered> {
  const exclusions = new Exclusions();
  const all: Gathered[] = [];
  for (const path of paths) {
    // The convention's paths are relative to the file; joining normalises what leads up.
    const uri = vscode.Uri.joinPath(promptFile, "..", ...path.replaceAll("\\", "/").split("/"));
    const shown = path.slice(0, 100);
    if (/^(?:[/\\~]|[a-z]:)/i.test(path) || !(await isInWorkspace(uri))) {
      all.push(refused(vscode.l10n.t("{0} was not attached: it is outside of this workspace.", shown)));
    } else if (await isFile(uri)) all.push(await gatherFile(uri, exclusions));
    else all.push(refused(vscode.l10n.t("{0} was not attached: there is no such file.", shown)));
  }
  return together(all);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
