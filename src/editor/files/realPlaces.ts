import { realpath } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { namesBelow } from "../../files/plainPath.ts";
import { isSensitiveName } from "../../files/sensitiveName.ts";
import { fileOf } from "../shared/notebooks.ts";
import { isInWorkspace } from "./workspaceFiles.ts";

/**
 * Resolves symbolic links of a local file. If the target is in the workspace, the result starts with the URI of its
 * workspace folder. Remote files and missing files are returned unchanged. A cell has the place of its notebook.
 */
export async function realPlaceOf(given: vscode.Uri): Promise<vscode.Uri> {
  const uri = fileOf(given);
  const real = uri.scheme === "file" ? await realPathOf(uri) : undefined;
  return real === undefined ? uri : uriOf(real, await realFolders());
}

/**
 * Returns a function that maps repository paths to workspace URIs.
 * The workspace may have been opened through a link.
 */
export async function placesIn(repository: vscode.Uri): Promise<(path: string) => vscode.Uri> {
  const root = repository.scheme === "file" ? await realPathOf(repository) : undefined;
  if (root === undefined) return (name) => vscode.Uri.joinPath(repository, name);
  const folders = await realFolders();
  return (name) => uriOf(path.join(root, name), folders);
}

interface RealFolder {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Returns the local workspace folders with their resolved paths. */
async function realFolders(): Promise<readonly RealFolder[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return Promise.all(folders.map(async ({ uri }) => ({ uri, path: (await realPathOf(uri)) ?? uri.fsPath })));
}

function uriOf(real: string, folders: readonly RealFolder[]): vscode.Uri {
  const places = folders.flatMap((folder) => {
    const names = namesBelow(folder.path, real);
    return names === undefined ? [] : [{ uri: folder.uri, names }];
  });
  // In nested workspace folders, a file belongs to the innermost one.
  const [nearest] = places.toSorted((one, other) => one.names.length - other.names.length);
  return nearest === undefined ? vscode.Uri.file(real) : vscode.Uri.joinPath(nearest.uri, ...nearest.names);
}

/** Whether files with this name, or with the name of the link target, usually hold keys. */
export async function isSensitiveFile(uri: vscode.Uri): Promise<boolean> {
  return isSensitiveName(uri.path) || isSensitiveName((await realPlaceOf(uri)).path);
}

/** Whether a file is outside the workspace, by its path or by its link target. */
export async function isOutside(given: vscode.Uri): Promise<boolean> {
  const uri = fileOf(given);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  return folder === undefined || (uri.path !== folder.path && !(await isInWorkspace(uri)));
}

/** Undefined for a missing file. */
function realPathOf(uri: vscode.Uri): Promise<string | undefined> {
  return realpath(uri.fsPath).catch(() => undefined);
}
