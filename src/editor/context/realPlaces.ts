import { realpath } from "node:fs/promises";
import type * as vscode from "vscode";
import { isSensitiveName } from "../../chat/sensitiveName.ts";
import { isInWorkspace } from "../workspaceFiles.ts";
import { pathInWorkspace } from "./workspacePaths.ts";

/** Whether files of this name, or of the name that a link of the file system leads to, usually hold keys. */
export async function isSensitiveFile(uri: vscode.Uri): Promise<boolean> {
  if (isSensitiveName(uri.path)) return true;
  if (uri.scheme !== "file") return false;
  // What cannot be followed cannot be read either.
  const real = await realpath(uri.fsPath).catch(() => "");
  return isSensitiveName(real.replaceAll("\\", "/"));
}

/** Whether a file is none of the workspace's, by its name or by where a link of the file system leads. */
export async function isOutside(uri: vscode.Uri): Promise<boolean> {
  return pathInWorkspace(uri) === undefined || !(await isInWorkspace(uri));
}
