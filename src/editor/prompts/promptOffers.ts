import * as vscode from "vscode";
import type { ContextOffer } from "../../chat/page/protocol.ts";
import { type PromptName, promptNames } from "../../chat/prompts/promptTemplates.ts";
import { shownPath } from "../files/workspacePaths.ts";
import type { FoundPrompt } from "./promptFiles.ts";

/** The prompts whose name holds what was typed, the whole name first, then those that begin with it. */
export function promptOffers(typed: string, files: readonly FoundPrompt[]): readonly ContextOffer[] {
  const own = files.map(fileOffer);
  // The workspace's own prompt takes the place of ours.
  const ours = promptNames.filter((name) => !own.some(({ id }) => id === name)).map(builtInOffer);
  const lower = typed.toLowerCase();
  const rank = ({ id }: ContextOffer): number => {
    const name = id.toLowerCase();
    if (name === lower) return 0;
    return name.startsWith(lower) ? 1 : 2;
  };
  return [...ours, ...own]
    .filter(({ id }) => id.toLowerCase().includes(lower))
    .sort((left, right) => rank(left) - rank(right));
}

function builtInOffer(name: PromptName): ContextOffer {
  return { id: name, label: `/${name}`, description: describe(name) };
}

function describe(name: PromptName): string {
  const { t } = vscode.l10n;
  switch (name) {
    case "explain":
      return t("Explain the selection or the file");
    case "fix":
      return t("Fix the problems of the selection or the file");
    case "tests":
      return t("Write tests for the selection or the file");
    case "docs":
      return t("Document the selection or the file");
    case "review":
      return t("Review the selection or the file");
    case "commit":
      return t("Write a message for the staged, else the unstaged changes");
  }
}

function fileOffer(prompt: FoundPrompt): ContextOffer {
  const { name } = prompt;
  if (prompt.kind === "problem") {
    const description = vscode.l10n.t("Cannot be used: {0}", prompt.sentence);
    return { id: name, label: `/${name}`, description };
  }
  const { description, argumentHint } = prompt.file;
  const words = description === "" ? shownPath(prompt.uri) : description;
  return {
    id: name,
    label: `/${name}`,
    description: argumentHint === "" ? words : `${words} (${argumentHint})`,
  };
}

/** Why the workspace's prompts are not among the offers. */
export function restrictedNote(): string {
  return vscode.l10n.t("In Restricted Mode this workspace's prompts and instructions are not read.");
}
