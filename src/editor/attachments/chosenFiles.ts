import * as vscode from "vscode";
import type { FileIndex } from "../files/fileIndex.ts";
import { type Gathered, nothing } from "./gathered.ts";
import { imageEndings } from "../files/imageTypes.ts";
import { convertPathToLabel } from "../files/pathLabel.ts";
import { pickWhileTyping } from "./pickWhileTyping.ts";
import { gatherUris } from "./uriContext.ts";
import { resolvePath } from "../files/workspacePaths.ts";

const listedFiles = 50;

/** A file of the workspace, by its name. */
export async function gatherChosenFile(files: FileIndex): Promise<Gathered> {
  const path = await pickWhileTyping<string>({
    title: vscode.l10n.t("Attach a File"),
    placeholder: vscode.l10n.t("Type a part of the file's name"),
    find: async (typed) =>
      (await files.findAll(typed, listedFiles)).map((value) => ({ ...convertPathToLabel(value), value })),
  });
  const uri = path === undefined ? undefined : resolvePath(path);
  return uri === undefined ? nothing : gatherUris([uri]);
}

export function gatherChosenFolder(): Promise<Gathered> {
  return gatherFromDialog({ canSelectFiles: false, canSelectFolders: true });
}

export function gatherChosenImage(): Promise<Gathered> {
  return gatherFromDialog({
    canSelectMany: true,
    filters: { [vscode.l10n.t("Images")]: [...imageEndings] },
  });
}

async function gatherFromDialog(options: vscode.OpenDialogOptions): Promise<Gathered> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    ...options,
    openLabel: vscode.l10n.t("Attach"),
    ...(folder === undefined ? {} : { defaultUri: folder.uri }),
  });
  return chosen === undefined ? nothing : gatherUris(chosen);
}
