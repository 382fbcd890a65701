import path from "node:path";
import * as vscode from "vscode";
import { readlink, realpath } from "node:fs/promises";
import { isActingFile, isGitPath } from "../../files/actingFiles.ts";
import { namesBelow, relativeTo } from "../../files/plainPath.ts";
import { type FileReference, readFileReference } from "../../text/markdown/fileReference.ts";
import { labelledFolders } from "./workspacePaths.ts";
import { showInformation } from "../shared/notices.ts";
import { fileOf } from "../shared/notebooks.ts";

/** Configuration files of the VS Code user, outside any workspace. On a remote machine, their folder is `Machine`. */
const usersOwn = /\/(?:User\/(?:profiles\/[^/]+\/)?|Machine\/)(?:settings|tasks|keybindings|mcp)\.json$/i;

/**
 * Returns the workspace paths that a name in an answer can mean, most likely first. If the workspace has several
 * folders, paths in the chat start with the folder's name. With only one folder, they do not, but a model may still
 * write the name.
 */
export function placesInWorkspace(named: string): vscode.Uri[] {
  const byFolder = placesByFolderName(named);
  const inEach = placesInEachFolder(named);
  return severalFolders() ? [...byFolder, ...inEach] : [...inEach, ...byFolder];
}

/** Returns possible paths of a new file: in the folder whose name comes first, or else in each folder. */
export function placesToCreate(named: string): vscode.Uri[] {
  const byFolder = severalFolders() ? placesByFolderName(named) : [];
  return byFolder.length > 0 ? byFolder : placesInEachFolder(named);
}

function severalFolders(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length > 1;
}

function placesInEachFolder(named: string): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap((folder) => placesIn(folder, withSlashes(named)));
}

/** Resolves a name that starts with the name of a workspace folder. */
function placesByFolderName(named: string): vscode.Uri[] {
  const [first, ...rest] = withSlashes(named).replace(/^\/+/, "").split("/");
  if (rest.length === 0) return [];
  const meant = labelledFolders().filter(({ label }) => label === first);
  return meant.flatMap(({ folder }) => placesIn(folder, rest.join("/")));
}

function withSlashes(named: string): string {
  return named.replaceAll("\\", "/");
}

function placesIn(folder: vscode.WorkspaceFolder, name: string): vscode.Uri[] {
  const relative = relativeTo(folder.uri.path, name);
  return relative === undefined ? [] : [vscode.Uri.joinPath(folder.uri, relative)];
}

/** Finds the workspace file that a name such as `src/a.ts:10` refers to. */
export async function findWorkspaceFile(
  name: string,
): Promise<{ readonly uri: vscode.Uri; readonly reference: FileReference } | undefined> {
  const reference = readFileReference(name);
  if (reference === undefined) return undefined;
  for (const uri of placesInWorkspace(reference.path)) {
    if (await isFile(uri)) return { uri, reference };
  }
  return undefined;
}

/** Returns the names that match a file of the workspace. */
export async function findWorkspaceFiles(names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => ((await findWorkspaceFile(name)) === undefined ? [] : [name])),
  );
  return found.flat();
}

/** Returns the file with this base name if the workspace has exactly one. */
export async function findByBaseName(name: string): Promise<vscode.Uri | undefined> {
  if (/[/\\*?[\]{}]/.test(name)) return undefined;
  const found = await vscode.workspace.findFiles(`**/${name}`, "**/node_modules/**", 2);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Whether a path is inside a workspace folder, after resolving symbolic links.
 * Links cannot be resolved on other machines. There, a path behind a link is treated as outside the workspace.
 */
export async function isInWorkspace(given: vscode.Uri): Promise<boolean> {
  const uri = fileOf(given);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  try {
    if (uri.scheme !== "file") return uri.path !== folder.uri.path && !(await isBehindLink(uri, folder.uri));
    const root = await realpath(folder.uri.fsPath);
    const real = await realExisting(uri.fsPath);
    const names = namesBelow(root, real);
    return names !== undefined && names.length > 0;
  } catch {
    return false;
  }
}

/** Whether a path below the folder is a symbolic link or is reached through one. */
async function isBehindLink(uri: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  const names = uri.path.slice(folder.path.length).split("/").filter(Boolean);
  if (names.includes("..")) return true;
  for (const index of names.keys()) {
    const type = await typeOf(vscode.Uri.joinPath(folder, ...names.slice(0, index + 1)));
    // A missing path has no links below it.
    if (type === undefined) return false;
    if ((type & vscode.FileType.SymbolicLink) !== 0) return true;
  }
  return false;
}

/** Undefined for a missing file. */
async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
    throw error;
  }
}

/** Whether a file or its link target can run programs or change settings automatically. */
export async function isActing(uri: vscode.Uri): Promise<boolean> {
  return usersOwn.test(uri.path) || (await namesOf(uri)).some(isActingFile);
}

/** Whether a file or its link target is in the folder of a Git repository. */
export async function isOfGit(uri: vscode.Uri): Promise<boolean> {
  return (await namesOf(uri)).some(isGitPath);
}

/**
 * Returns the path of a file and of its link target. The workspace folder or its parent can itself be a folder with
 * settings, for example `.vscode`. Folders further up do not count.
 */
async function namesOf(given: vscode.Uri): Promise<readonly string[]> {
  const uri = fileOf(given);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const place = folder?.path.split("/").slice(-2).join("/") ?? "";
  const name = `${place}/${uri.path.slice(folder?.path.length ?? 0)}`;
  if (uri.scheme !== "file" || folder === undefined) return [name];
  const real = path.relative(await realpath(folder.fsPath), await realExisting(uri.fsPath));
  return [name, `${place}/${real.split(path.sep).join("/")}`];
}

/** Opens the file at the given line. Tells the user if the workspace has no such file. */
export async function openWorkspaceFile(name: string): Promise<void> {
  const found = await findWorkspaceFile(name);
  if (found === undefined) {
    void showInformation(vscode.l10n.t("This workspace has no file '{0}'.", name));
    return;
  }
  const { line, column } = found.reference;
  const position = new vscode.Position((line ?? 1) - 1, (column ?? 1) - 1);
  const options: vscode.TextDocumentShowOptions =
    line === undefined ? {} : { selection: new vscode.Range(position, position) };
  await vscode.commands.executeCommand("vscode.open", found.uri, options);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0 && (await isInWorkspace(uri));
  } catch {
    return false;
  }
}

/** Resolves links in the existing part of a path and appends the missing part. */
async function realExisting(file: string, maxLinks = 40): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const parent = path.dirname(file);
    if (parent === file || maxLinks === 0) throw error;
    const real = await realExisting(parent, maxLinks);
    // Writing to a dangling link creates its target, so resolve the link.
    const link = await readlink(file).catch(() => undefined);
    return link === undefined
      ? path.join(real, path.basename(file))
      : realExisting(path.resolve(real, link), maxLinks - 1);
  }
}

/** Formats a size in bytes: `812 B`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/, "")} MB`;
}
