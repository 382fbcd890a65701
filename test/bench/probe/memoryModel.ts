import * as vscode from "vscode";
import { answerWords } from "../streamedAnswer.ts";
import { memoryModel, memoryVendor } from "./contract.ts";

/** A model with answers in memory, in as many parts as requested: measures only VS Code's own cost. */
export function registerMemoryModel(): vscode.Disposable {
  return vscode.lm.registerLanguageModelChatProvider(memoryVendor, {
    provideLanguageModelChatInformation: () => [information],
    provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
      for (const word of answerWords("chat-completions", partsAskedFor(messages)))
        progress.report(new vscode.LanguageModelTextPart(word));
    },
    provideTokenCount: async () => 1,
  });
}

function partsAskedFor(messages: readonly vscode.LanguageModelChatRequestMessage[]): number {
  const [part] = messages[0]?.content ?? [];
  return part instanceof vscode.LanguageModelTextPart ? Number(part.value) : Number.NaN;
}

const information: vscode.LanguageModelChatInformation = {
  id: memoryModel,
  name: memoryModel,
  family: memoryModel,
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 100_000,
  capabilities: {},
};
