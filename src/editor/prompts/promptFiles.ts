import * as vscode from "vscode";
import type { FrontMatterProblem } from "../../text/frontMatter.ts";
import {
  type PromptFile,
  promptFileEnding,
  promptNameOfFile,
  readPromptFile,
} from "../../chat/prompts/promptFile.ts";
import { settleNames } from "../../chat/prompts/promptCommand.ts";
import { nameOf, shownPath } from "../files/workspacePaths.ts";
import { isInWorkspace } from "../files/workspaceFiles.ts";
import { readSmallFile } from "./smallFile.ts";

const maxFiles = 200;
const usualFolder = ".github/prompts";

/** A prompt file of the workspace, or the sentence that says why it can't be used. */
export type FoundPrompt =
  | { readonly kind: "prompt"; readonly uri: vscode.Uri; readonly name: string; readonly file: PromptFile }
  | { readonly kind: "problem"; readonly uri: vscode.Uri; readonly name: string; readonly sentence: string };

/** The workspace's prompt files by name. In Restricted Mode, reads not even their folder and returns an empty array. */
export async function findPromptFiles(): Promise<readonly FoundPrompt[]> {
  if (!vscode.workspace.isTrusted) return [];
  const found: FoundPrompt[] = [];
  for (const uri of await promptFileUris()) {
    const prompt = await readPrompt(uri);
    if (prompt !== undefined) found.push(prompt);
  }
  return settleNames(found, refuseName);
}

function refuseName({ uri, name }: FoundPrompt, first: FoundPrompt): FoundPrompt {
  const sentence = vscode.l10n.t(
    "Prompt files '{0}' and '{1}' have the same name. Rename one of them.",
    shownPath(uri),
    shownPath(first.uri),
  );
  return { kind: "problem", uri, name, sentence };
}

async function promptFileUris(): Promise<readonly vscode.Uri[]> {
  // A workspace folder may contain another one, so a file may be found twice.
  const uris = new Map<string, vscode.Uri>();
  for (const root of vscode.workspace.workspaceFolders ?? []) {
    for (const location of promptFolders(root.uri)) {
      const folder = vscode.Uri.joinPath(root.uri, ...location.split("/"));
      if (!(await isInWorkspace(folder))) continue;
      for (const uri of await promptFilesIn(folder)) uris.set(uri.toString(), uri);
    }
  }
  return [...uris.values()].slice(0, maxFiles);
}

async function promptFilesIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    return names
      .filter((name) => name.endsWith(promptFileEnding))
      .sort()
      .map((name) => vscode.Uri.joinPath(folder, name));
  } catch {
    // Most workspaces have no such folder.
    return [];
  }
}

/** The usual folder, and the folders of VS Code's own setting if they are paths within the workspace. */
function promptFolders(root: vscode.Uri): readonly string[] {
  const locations = vscode.workspace.getConfiguration("chat", root).get<unknown>("promptFilesLocations");
  const set = typeof locations === "object" && locations !== null ? Object.entries(locations) : [];
  const on = set.flatMap(([path, isOn]) => (isOn === true && isPlainPath(path) ? [path] : []));
  const off = set.some(([path, isOn]) => path === usualFolder && isOn === false);
  const named = on.map((path) => path.replace(/(?<!\/)\/+$/, ""));
  return [...new Set([...(off ? [] : [usualFolder]), ...named])].slice(0, 20);
}

function isPlainPath(path: string): boolean {
  return !/^(?:[/~\\]|[a-z]:)|[*?{[]|\$\{/i.test(path) && !path.split("/").includes("..");
}

async function readPrompt(uri: vscode.Uri): Promise<FoundPrompt | undefined> {
  const read = await readSmallFile(uri);
  const name = promptNameOfFile(nameOf(uri));
  if (read.kind === "none") return undefined;
  if (read.kind === "problem") return { kind: "problem", uri, name, sentence: read.sentence };
  const file = readPromptFile(nameOf(uri), read.text);
  if ("reason" in file) return { kind: "problem", uri, name, sentence: problemText(shownPath(uri), file) };
  if (file.body === "") {
    return {
      kind: "problem",
      uri,
      name,
      sentence: vscode.l10n.t("'{0}' contains no prompt.", shownPath(uri)),
    };
  }
  return { kind: "prompt", uri, name: file.name, file };
}

function problemText(path: string, { line, reason }: FrontMatterProblem): string {
  switch (reason) {
    case "unclosed":
      return vscode.l10n.t("The front matter of '{0}' isn't closed: a line with --- is missing.", path);
    case "too-long":
      return vscode.l10n.t("The front matter of '{0}' is too long.", path);
    case "not-a-field":
      return vscode.l10n.t(
        "Line {1} of '{0}' isn't a valid front matter field. Use the form 'name: value'.",
        path,
        line,
      );
    case "open-quote":
      return vscode.l10n.t("Line {1} of '{0}' has an unmatched quotation mark.", path, line);
  }
}
