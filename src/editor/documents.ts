import type * as vscode from "vscode";
import { documentScheme } from "../contributions.ts";
import { loadOnce } from "./loadOnce.ts";
import { registerReadOnlyFiles } from "./readOnlyFiles.ts";

/** Offers the documents of the package as files that link each other. */
export function registerDocuments(extension: vscode.Uri): vscode.Disposable {
  const load = loadOnce(async () => (await import("./documentFiles.ts")).readDocuments(extension));
  return registerReadOnlyFiles(documentScheme, {
    stat: async (uri) => (await load()).stat(uri),
    readFile: async (uri) => (await load()).readFile(uri),
    readDirectory: async (uri) => (await load()).readDirectory(uri),
  });
}
