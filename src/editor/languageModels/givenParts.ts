import * as vscode from "vscode";
import {
  type DataPart,
  type LanguageModelMessage,
  type LanguageModelPart,
  promptTreeText,
} from "../../chat/session/languageModelMessages.ts";
import type { Role } from "../../protocol/conversation/conversation.ts";
import { isFields } from "../../protocol/conversation/json.ts";
import { readToolArguments } from "../../protocol/conversation/toolCalls.ts";

/** The editor's messages as plain data. Parts of kinds that this version does not know are left out. */
export function readGivenMessage(message: vscode.LanguageModelChatRequestMessage): LanguageModelMessage {
  return { role: roleOf(message.role), parts: message.content.flatMap(readPart) };
}

/** The editor's own chat gives system messages, whose role the stable API has no name for. */
function roleOf(role: vscode.LanguageModelChatMessageRole): Role {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === vscode.LanguageModelChatMessageRole.User ? "user" : "system";
}

/** Thinking parts are left out here; what goes back of them is found by the calls (`handedBack`). */
function readPart(part: unknown): readonly LanguageModelPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name } = part;
    const given: unknown = part.input;
    // None at all are no arguments; what cannot be read must not pass for none.
    return [{ type: "tool-call", id: callId, name, arguments: readToolArguments(given ?? {}) }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const isError = Reflect.get(part, "isError") === true;
    return [{ type: "tool-result", callId: part.callId, parts: part.content.flatMap(readContent), isError }];
  }
  return readContent(part);
}

function readContent(
  part: unknown,
): readonly Exclude<LanguageModelPart, { type: "tool-call" | "tool-result" }>[] {
  if (typeof part === "string") return [{ type: "text", text: part }];
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: "text", text: part.value }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: "text", text: promptTreeText(part.value) }];
  const data = readData(part);
  return data === undefined ? [] : [data];
}

/** Its class came to the stable API only later. */
function readData(part: unknown): DataPart | undefined {
  if (!isFields(part)) return undefined;
  const { mimeType, data } = part;
  const isData = typeof mimeType === "string" && data instanceof Uint8Array;
  return isData ? { type: "data", mediaType: mimeType, bytes: data } : undefined;
}
