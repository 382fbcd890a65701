import * as vscode from "vscode";
import { isDefined } from "./isDefined.ts";
import { pathInWorkspace } from "./workspacePaths.ts";

/** The workspace's files in tabs, those that are seen first, then those that were closed a moment ago. */
export function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive))
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined));
  // The editor keeps the text of a file for a while after its tab was closed.
  const recent = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const schemes = new Set(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.scheme));
  const files = [...uris, ...recent].filter(isDefined).filter(({ scheme }) => schemes.has(scheme));
  return [...new Set(files.map((uri) => pathInWorkspace(uri)).filter(isDefined))];
}
