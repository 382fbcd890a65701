import * as vscode from "vscode";
import { answerWords } from "../streamedAnswer.ts";
import { memoryModelOf, memoryVendor, partsVariable } from "./contract.ts";

/** Models whose answers lie in memory: what the editor's own way takes, with nothing ahead of it. */
export function registerMemoryModels(): vscode.Disposable {
  const listed = process.env[partsVariable] ?? "";
  const counts = listed === "" ? [] : listed.split(",").map(Number);
  const answers = new Map(
    counts.map((count): [string, readonly string[]] => [
      memoryModelOf(count),
      answerWords("chat-completions", count),
    ]),
  );
  return vscode.lm.registerLanguageModelChatProvider(memoryVendor, {
    provideLanguageModelChatInformation: () => Array.from(answers.keys(), informationOf),
    provideLanguageModelChatResponse: async ({ id }, _messages, _options, progress) => {
      for (const word of answers.get(id) ?? []) progress.report(new vscode.LanguageModelTextPart(word));
    },
    provideTokenCount: async () => 1,
  });
}

function informationOf(id: string): vscode.LanguageModelChatInformation {
  return {
    id,
    name: id,
    family: id,
    version: "1",
    maxInputTokens: 100_000,
    maxOutputTokens: 100_000,
    capabilities: {},
  };
}
