import { realpath } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { isSensitiveName } from "../../files/sensitiveName.ts";
import { isInWorkspace } from "./workspaceFiles.ts";

/**
 * Where links of the file system lead from a place of this machine, within the workspace by the folder that has it
 * there. A place of another machine, where links are not followed, and one that is not there stay as they are.
 */
export async function realPlaceOf(uri: vscode.Uri): Promise<vscode.Uri> {
  const real = uri.scheme === "file" ? await realPathOf(uri) : undefined;
  return real === undefined ? uri : uriOf(real, await realFolders());
}

/** What is in a repository, as the workspace names it, which may have been opened by a link. */
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

/** The workspace's folders of this machine, with where they are once links are followed. */
async function realFolders(): Promise<readonly RealFolder[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return Promise.all(folders.map(async ({ uri }) => ({ uri, path: (await realPathOf(uri)) ?? uri.fsPath })));
}

function uriOf(real: string, folders: readonly RealFolder[]): vscode.Uri {
  const places = folders.flatMap((folder) => {
    const names = namesBelow(folder.path, real);
    return names === undefined ? [] : [{ uri: folder.uri, names }];
  });
  // Of a folder in another one, the inner one has it.
  const [nearest] = places.toSorted((one, other) => one.names.length - other.names.length);
  return nearest === undefined ? vscode.Uri.file(real) : vscode.Uri.joinPath(nearest.uri, ...nearest.names);
}

/** Whether files of this name, or of the name that a link of the file system leads to, usually hold keys. */
export async function isSensitiveFile(uri: vscode.Uri): Promise<boolean> {
  return isSensitiveName(uri.path) || isSensitiveName((await realPlaceOf(uri)).path);
}

/** Whether a file is none of the workspace's, by its name or by where a link of the file system leads. */
export async function isOutside(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  return folder === undefined || (uri.path !== folder.path && !(await isInWorkspace(uri)));
}

/** Undefined for what is not there. */
function realPathOf(uri: vscode.Uri): Promise<string | undefined> {
  return realpath(uri.fsPath).catch(() => undefined);
}

/** The names from a folder to what is in it, or is that; undefined for all else. */
function namesBelow(folder: string, place: string): readonly string[] | undefined {
  const relative = path.relative(folder, place);
  const names = relative.split(path.sep).filter((name) => name !== "");
  return names[0] === ".." || path.isAbsolute(relative) ? undefined : names;
}
