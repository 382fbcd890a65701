import * as vscode from "vscode";
import {
  fillPrompt,
  promptInputs,
  promptVariables,
  readPromptArguments,
  type PromptInput,
} from "../../chat/prompts/promptCommand.ts";
import { promptLinks } from "../../chat/prompts/promptLinks.ts";
import { withAddition } from "../../chat/prompts/promptTemplates.ts";
import type { UsedPrompt } from "../../chat/transcript/transcript.ts";
import { gatherUris } from "../attachments/uriContext.ts";
import { type Gathered, nothing, together } from "../attachments/gathered.ts";
import { placeOf } from "../files/workspacePaths.ts";
import type { FoundPrompt } from "./promptFiles.ts";
import { gatherLinkedFiles } from "./promptLinkFiles.ts";
import { isAboutFile, readPromptValues } from "./promptValues.ts";

export type PromptFileUse =
  | { readonly kind: "used"; readonly prompt: UsedPrompt; readonly added: Gathered }
  /** Without a sentence where the user thought better of it. */
  | { readonly kind: "refused"; readonly sentence?: string };

/** A prompt file's text with its variables filled in, and the files it is about. */
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
  const all = await askMissing(name, inputs, values);
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

/** Asks for each input that was not typed; undefined where the user thought better of it. */
async function askMissing(
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
