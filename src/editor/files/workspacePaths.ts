import * as vscode from "vscode";
import type { AttachmentPlace } from "../../chat/transcript/attachments.ts";
import { uniqueNames } from "../../text/fileNames.ts";

/** A folder of the workspace, by the name that no other one has here. */
interface LabelledFolder {
  readonly folder: vscode.WorkspaceFolder;
  readonly label: string;
  /** What the paths in it begin with: nothing where it is the only folder. */
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

/** The last part of a path. */
export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

/** With the folder's label in front where there are several; undefined for what is outside of the workspace. */
export function pathInWorkspace(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const labelled = folder && labelledFolders()[folder.index];
  if (folder === undefined || labelled === undefined) return undefined;
  const path = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  if (path !== "") return `${labelled.prefix}${path}`;
  return labelled.prefix === "" ? nameOf(uri) : labelled.label;
}

/**
 * The paths of many files as `pathInWorkspace` gives them. The folders are looked at once, since the editor's
 * own reckoning takes its time for each file.
 */
export function pathsInWorkspace(uris: readonly vscode.Uri[]): readonly string[] {
  const roots = labelledFolders()
    .map(({ folder: { uri }, prefix }) => ({
      scheme: uri.scheme,
      authority: uri.authority,
      path: uri.path.endsWith("/") ? uri.path : `${uri.path}/`,
      prefix,
    }))
    // Of a folder in another one, the inner one has it.
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

/** What may be said of where a file is: never the machine's own path. */
export function shownPath(uri: vscode.Uri): string {
  return pathInWorkspace(uri) ?? nameOf(uri);
}

export function placeOf(uri: vscode.Uri): AttachmentPlace | undefined {
  const path = pathInWorkspace(uri);
  return path === undefined ? undefined : { path };
}

/** The file of a path that `pathInWorkspace` gave, in whichever workspace is open now. */
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
 * A file as the page was handed it by a drop. The window names a remote's files by the remote, an
 * extension that runs there by themselves.
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

/** The name first, as the editor's own lists have it. */
export function convertPathToLabel(path: string): { readonly label: string; readonly description: string } {
  const cut = path.lastIndexOf("/");
  return { label: path.slice(cut + 1), description: cut < 0 ? "" : path.slice(0, cut) };
}

/** The kinds of pictures that services take, by a file name's ending. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export const imageEndings = Object.keys(typesByEnding);

/** The media type of a picture that can be sent; undefined for every other file. */
export function imageTypeOf(name: string): string | undefined {
  return typesByEnding[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}

export function isImageType(mediaType: string): boolean {
  return Object.values(typesByEnding).includes(mediaType);
}
