import * as vscode from "vscode";

/** Globs of files that the editor hides (`files.exclude`), for a folder or for the workspace. */
export function readHiddenPatterns(folder: vscode.Uri | undefined): readonly string[] {
  const value = vscode.workspace.getConfiguration("files", folder ?? null).get<unknown>("exclude");
  return typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}
