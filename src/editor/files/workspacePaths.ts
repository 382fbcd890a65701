import * as vscode from "vscode";
import type { AttachmentPlace } from "../../chat/transcript/attachments.ts";
import { uniqueNames } from "../../text/fileNames.ts";
import { fileOf, findCell } from "../shared/notebooks.ts";

/** A workspace folder with a unique label. */
interface LabelledFolder {
  readonly folder: vscode.WorkspaceFolder;
  readonly label: string;
  /** Prefix of the paths in the folder. Empty if the workspace has only one folder. */
  readonly prefix: string;
}

export function labelledFolders(): readonly LabelledFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const labels = uniqueNames(folders.map(({ name }) => name));
  return folders.map((folder, index) => {
    const label = labels[index] ?? folder.name;
    return { folder, label, prefix: folders.length > 1 ? `${label}/` : "" };
  });
}

/** Returns the last segment of a path. */
export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

/** Like `nameOf`, but also names the cell of a notebook. */
export function shownName(uri: vscode.Uri): string {
  return withCellName(uri, nameOf(uri));
}

/** Appends the number of the cell if the URI is that of a cell. */
export function withCellName(uri: vscode.Uri, name: string): string {
  const cell = findCell(uri);
  return cell === undefined ? name : vscode.l10n.t("{0}, cell {1}", name, cell.index + 1);
}

/**
 * Returns a path relative to the workspace. Undefined for files outside.
 * If the workspace has several folders, the path starts with the folder's label. A cell has the path of its notebook.
 */
export function pathInWorkspace(given: vscode.Uri): string | undefined {
  const uri = fileOf(given);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const labelled = folder && labelledFolders()[folder.index];
  if (folder === undefined || labelled === undefined) return undefined;
  const path = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  if (path !== "") return `${labelled.prefix}${path}`;
  return labelled.prefix === "" ? nameOf(uri) : labelled.label;
}

/** Like `pathInWorkspace`, for many files. Looks up the folders once, because VS Code's lookup per file is slow. */
export function pathsInWorkspace(uris: readonly vscode.Uri[]): readonly string[] {
  const roots = labelledFolders()
    .map(({ folder: { uri }, prefix }) => ({
      scheme: uri.scheme,
      authority: uri.authority,
      path: uri.path.endsWith("/") ? uri.path : `${uri.path}/`,
      prefix,
    }))
    // In nested workspace folders, a file belongs to the innermost one.
    .toSorted((one, other) => other.path.length - one.path.length);
  return uris.flatMap((uri) => {
    const root = roots.find(
      ({ scheme, authority, path }) =>
        uri.path.startsWith(path) && uri.scheme === scheme && uri.authority === authority,
    );
    return root === undefined
      ? (pathInWorkspace(uri) ?? [])
      : `${root.prefix}${uri.path.slice(root.path.length)}`;
  });
}

/** Returns a path that can be shown, with the cell of a notebook. Never reveals an absolute path of the machine. */
export function shownPath(uri: vscode.Uri): string {
  return withCellName(uri, pathInWorkspace(uri) ?? nameOf(uri));
}

export function placeOf(uri: vscode.Uri): AttachmentPlace | undefined {
  const path = pathInWorkspace(uri);
  const cell = findCell(uri);
  if (path === undefined) return undefined;
  return cell === undefined ? { path } : { path, cell: cell.index + 1 };
}

/**
 * Returns the file for a path of `pathInWorkspace`, in the workspace that is open now. Undefined if the path contains
 * `..` or no folder is open.
 */
export function resolvePath(path: string): vscode.Uri | undefined {
  const folders = labelledFolders();
  const parts = path.split("/");
  if (parts.includes("..")) return undefined;
  const named = folders.length > 1 ? folders.find(({ label }) => label === parts[0]) : undefined;
  if (named !== undefined) return vscode.Uri.joinPath(named.folder.uri, ...parts.slice(1));
  const [only] = folders;
  return only === undefined ? undefined : vscode.Uri.joinPath(only.folder.uri, ...parts);
}

/**
 * Reads a URI that was dropped on the page. Undefined unless the scheme is `file` or used by the workspace.
 * The window names remote files `vscode-remote:`. An extension on the remote machine names them `file:`.
 */
export function readDroppedUri(text: string): vscode.Uri | undefined {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const schemes = new Set(vscode.workspace.workspaceFolders?.map((folder) => folder.uri.scheme));
  if (uri.scheme === "vscode-remote" && !schemes.has("vscode-remote")) return vscode.Uri.file(uri.path);
  return uri.scheme === "file" || schemes.has(uri.scheme) ? uri : undefined;
}

/** Puts the file name first, like VS Code's own lists. */
export function convertPathToLabel(path: string): { readonly label: string; readonly description: string } {
  const cut = path.lastIndexOf("/");
  return { label: path.slice(cut + 1), description: cut < 0 ? "" : path.slice(0, cut) };
}

/** Media types of the image formats that services accept, by file extension. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export const imageEndings = Object.keys(typesByEnding);

/** Returns the media type of an image that can be sent. Undefined for other files. */
export function imageTypeOf(name: string): string | undefined {
  return typesByEnding[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}

export function isImageType(mediaType: string): boolean {
  return Object.values(typesByEnding).includes(mediaType);
}
