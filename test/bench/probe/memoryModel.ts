import * as vscode from "vscode";
import { answerWords } from "../streamedAnswer.ts";
import { memoryModel, memoryVendor, partsVariable } from "./contract.ts";

const information: vscode.LanguageModelChatInformation = {
  id: memoryModel,
  name: memoryModel,
  family: memoryModel,
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 100_000,
  capabilities: {},
};

/** A model whose answer lies in memory: what the editor's own way takes, with nothing ahead of it. */
export function registerMemoryModel(): vscode.Disposable {
  const words = answerWords("chat-completions", Number(process.env[partsVariable]));
  return vscode.lm.registerLanguageModelChatProvider(memoryVendor, {
    provideLanguageModelChatInformation: () => [information],
    provideLanguageModelChatResponse: async (_model, _messages, _options, progress) => {
      for (const word of words) progress.report(new vscode.LanguageModelTextPart(word));
    },
    provideTokenCount: async () => 1,
  });
}
