import * as vscode from "vscode";
import type { KnownWorkspace } from "./connectionWorkspaces.ts";

/** The folder or workspace file that is open; undefined in an empty window. */
export function thisWorkspace(): KnownWorkspace | undefined {
  const { workspaceFile, workspaceFolders, name } = vscode.workspace;
  const uri =
    workspaceFile?.scheme === "untitled" ? undefined : (workspaceFile ?? workspaceFolders?.[0]?.uri);
  return uri && { name: name ?? "", uri: uri.toString() };
}
