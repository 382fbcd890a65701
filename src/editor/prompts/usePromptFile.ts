import * as vscode from "vscode";
import {
  fillPrompt,
  type PromptInput,
  promptInputs,
  promptVariables,
  readPromptArguments,
} from "../../chat/prompts/promptCommand.ts";
import { promptLinks } from "../../chat/prompts/promptFile.ts";
import { withAddition } from "../../chat/prompts/promptTemplates.ts";
import type { QuestionPrompt } from "../../chat/transcript/transcript.ts";
import { gatherUris } from "../attachments/uriContext.ts";
import { type Gathered, nothing, refused, together } from "../attachments/gathered.ts";
import { nameOf, placeOf, shownPath } from "../files/workspacePaths.ts";
import type { FoundPrompt } from "./promptFiles.ts";
import { wholeStart } from "../../text/cutText.ts";
import { gatherFiles } from "../attachments/fileContext.ts";
import { Exclusions } from "../files/exclusions.ts";
import { isInWorkspace } from "../files/workspaceFiles.ts";
import { mayShow } from "../attachments/selectionContext.ts";

type PromptFileUse =
  | { readonly kind: "used"; readonly prompt: QuestionPrompt; readonly added: Gathered }
  /** Without a sentence if the user cancels. */
  | { readonly kind: "refused"; readonly sentence?: string };

/** Returns a prompt file's text with its variables filled in, and the files that it needs. */
export async function usePromptFile(
  { uri, name, file }: Extract<FoundPrompt, { kind: "prompt" }>,
  typed: string,
  editor: vscode.TextEditor | undefined,
): Promise<PromptFileUse> {
  const { body, ignored } = file;
  const variables = promptVariables(body);
  const read = await readPromptValues(variables, editor);
  if (read === undefined) return { kind: "refused" };
  if (read.kind === "problem") return { kind: "refused", sentence: read.sentence };
  const inputs = promptInputs(body);
  const { values, rest } = readPromptArguments(typed, inputs);
  const all = await promptForMissing(name, inputs, values);
  if (all === undefined) return { kind: "refused" };
  const active =
    isAboutFile(variables) && editor !== undefined ? await gatherUris([editor.document.uri]) : nothing;
  const linked = await gatherLinkedFiles(uri, promptLinks(body));
  const place = placeOf(uri);
  return {
    kind: "used",
    prompt: {
      name,
      text: withAddition(fillPrompt(body, all, read.values), rest),
      ...(place === undefined ? {} : { place }),
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    added: together([active, linked]),
  };
}

/** Prompts for each input that was not typed. Resolves to undefined if the user cancels. */
async function promptForMissing(
  promptName: string,
  inputs: readonly PromptInput[],
  given: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = new Map(given);
  for (const { name, placeholder } of inputs) {
    if (values.has(name)) continue;
    const value = await vscode.window.showInputBox({
      title: vscode.l10n.t("Prompt /{0}: {1}", promptName, name),
      placeHolder: placeholder,
      ignoreFocusOut: true,
    });
    if (value === undefined) return undefined;
    values.set(name, value);
  }
  return values;
}

/**
 * Gathers the files that a prompt file links to, by the same rules as other attachments. Does not even check whether a
 * file outside the workspace exists: a prompt file must have no access to it.
 */
export async function gatherLinkedFiles(promptFile: vscode.Uri, paths: readonly string[]): Promise<Gathered> {
  // By convention, paths are relative to the file. `joinPath` resolves `..` in them.
  const links = paths.map((path) => ({
    path,
    uri: vscode.Uri.joinPath(promptFile, "..", ...path.replaceAll("\\", "/").split("/")),
  }));
  const refusals = await Promise.all(links.map(({ path, uri }) => refusalOf(path, uri)));
  const files = links.filter((_, index) => refusals[index] === undefined).map(({ uri }) => uri);
  return together([
    refused(...refusals.filter((refusal) => refusal !== undefined)),
    ...(await gatherFiles(files, new Exclusions())),
  ]);
}

async function refusalOf(path: string, uri: vscode.Uri): Promise<string | undefined> {
  const shown = wholeStart(path, 100);
  if (/^(?:[/\\~]|[a-z]:)/i.test(path) || !(await isInWorkspace(uri))) {
    return vscode.l10n.t("'{0}' was not attached because it is outside this workspace.", shown);
  }
  return (await isFile(uri))
    ? undefined
    : vscode.l10n.t("'{0}' was not attached because it doesn't exist.", shown);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

const selectionNames: readonly string[] = ["selection", "selectedText"];
const fileNames: readonly string[] = ["file", "fileBasename", "fileDirname", "fileBasenameNoExtension"];

/** Values of VS Code's variables, or a sentence about a missing value; undefined if the user declines. */
type PromptValues =
  | { readonly kind: "values"; readonly values: ReadonlyMap<string, string> }
  | { readonly kind: "problem"; readonly sentence: string }
  | undefined;

/**
 * Returns the values of the conventional variables. Paths are relative to the workspace, so no path of the machine is
 * sent.
 */
async function readPromptValues(
  names: ReadonlySet<string>,
  editor: vscode.TextEditor | undefined,
): Promise<PromptValues> {
  const values = new Map(workspaceValues(editor));
  if (fileNames.some((name) => names.has(name))) {
    if (editor === undefined) {
      return problem(vscode.l10n.t("This prompt needs a file. Open a file in an editor first."));
    }
    for (const [name, value] of fileValues(editor.document.uri)) values.set(name, value);
  }
  if (selectionNames.some((name) => names.has(name))) {
    if (editor === undefined || editor.selection.isEmpty) {
      return problem(vscode.l10n.t("This prompt needs a selection. Select some text in an editor first."));
    }
    if (!(await mayShow(editor.document.uri))) return undefined;
    const selected = editor.selections.map((selection) => editor.document.getText(selection)).join("\n");
    for (const name of selectionNames) values.set(name, selected);
  }
  return { kind: "values", values };
}

/** Whether a prompt with these variables needs the whole active file. */
function isAboutFile(names: ReadonlySet<string>): boolean {
  return names.has("file");
}

function workspaceValues(editor: vscode.TextEditor | undefined): readonly (readonly [string, string])[] {
  const own = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return [];
  return [
    ["workspaceFolder", folder.name],
    ["workspaceFolderBasename", nameOf(folder.uri)],
  ];
}

function fileValues(uri: vscode.Uri): readonly (readonly [string, string])[] {
  const path = shownPath(uri);
  const name = nameOf(uri);
  return [
    ["file", path],
    ["fileBasename", name],
    ["fileDirname", path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "."],
    ["fileBasenameNoExtension", name.replace(/(?<=.)\.[^.]*$/, "")],
  ];
}

function problem(sentence: string): PromptValues {
  return { kind: "problem", sentence };
}
