import * as vscode from "vscode";
import { answerCap } from "../../chat/session/contextWindow.ts";
import {
  convertLanguageModelMessages,
  type DataPart,
  type LanguageModelMessage,
  type LanguageModelPart,
  promptTreeText,
} from "../../chat/session/languageModelMessages.ts";
import { type RecallOutline, restoreReasoning } from "../../chat/session/reasoningMemory.ts";
import { estimateRequest } from "../../chat/session/tokenEstimate.ts";
import type { ChatRequest, Tool, Role } from "../../protocol/conversation/conversation.ts";
import { isFields, type Fields } from "../../protocol/conversation/json.ts";
import { readSampling } from "../../protocol/encode/sampling.ts";
import type { LanguageModelServices } from "./registerLanguageModels.ts";
import type { RequestedModel } from "./requestedModel.ts";
import { readMaxTokensSetting } from "../workspace/settings.ts";
import type { Cap } from "./reportedAnswer.ts";
import { readToolArguments } from "../../protocol/conversation/toolCalls.ts";

/** A request, and the source of its token limit. */
export interface BuiltRequest {
  readonly request: ChatRequest;
  readonly cap: Cap;
}

/**
 * Builds the request for VS Code. Its texts may still contain stored keys.
 * @throws Error if all messages are empty
 */
export function buildRequest(
  { limits, log }: LanguageModelServices,
  { connection, modelId, clientStyle }: RequestedModel,
  given: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode, modelOptions = {} }: vscode.ProvideLanguageModelChatResponseOptions,
  recall: RecallOutline,
): BuiltRequest {
  const modelLimits = limits.limitsOf(connection, modelId, clientStyle);
  const said = convertLanguageModelMessages(given.map(readRequestMessage), modelLimits.takesImages !== false);
  const messages = restoreReasoning(said, recall);
  if (messages.length === 0) throw new Error(vscode.l10n.t("Nothing to send: all messages are empty."));
  const { sampling, maxTokens: wanted = Infinity, ignored } = readSampling(modelOptions);
  // Report only plain names. Other names are notes that VS Code's chat adds for its own models.
  const unknown = ignored.filter((name) => /^[a-z]\w{0,40}$/i.test(name));
  if (unknown.length > 0) log.note(vscode.l10n.t("Ignored model options: {0}", unknown.join(", ")));
  const mustCall = toolMode === vscode.LanguageModelChatToolMode.Required && tools.length > 0;
  const asked = { messages, tools: tools.map(convertTool) };
  const answerLimit = answerCap(modelLimits, estimateRequest(asked, modelLimits.charactersPerToken));
  const request = {
    model: modelId,
    messages,
    maxTokens: Math.min(answerLimit, wanted),
    stream: true,
    sampling,
    ...(tools.length === 0 ? {} : { tools: asked.tools }),
    ...(mustCall ? ({ toolChoice: "required" } as const) : {}),
    // If the service refuses these fields, do not retry without them. Such an answer would look as if no tool were
    // needed.
    required: [...(tools.length === 0 ? [] : ["tools"]), ...(mustCall ? ["tool_choice"] : [])],
  };
  const own: Cap = answerLimit === readMaxTokensSetting() ? "setting" : "model";
  return { request, cap: wanted < answerLimit ? "caller" : own };
}

/** A tool without a schema takes no arguments. Both client styles require the schema of an object. */
function convertTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): Tool {
  const schema: Fields = isFields(inputSchema) ? inputSchema : {};
  return {
    name,
    description,
    schema: schema["type"] === undefined ? { type: "object", properties: {}, ...schema } : schema,
  };
}

/** Converts a message of VS Code to plain data. Drops parts of unknown kinds. */
export function readRequestMessage(message: vscode.LanguageModelChatRequestMessage): LanguageModelMessage {
  return { role: roleOf(message.role), parts: message.content.flatMap(readPart) };
}

/** VS Code's own chat sends system messages, but the stable API has no name for that role. */
function roleOf(role: vscode.LanguageModelChatMessageRole): Role {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === vscode.LanguageModelChatMessageRole.User ? "user" : "system";
}

/** Drops thinking parts, because `recallFor` finds the reasoning of each tool call. */
function readPart(part: unknown): readonly LanguageModelPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name } = part;
    const given: unknown = part.input;
    // A missing input means no arguments. An unreadable input must not count as missing.
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

/** Recognizes a data part by its members, because its class joined the stable API only later. */
function readData(part: unknown): DataPart | undefined {
  if (!isFields(part)) return undefined;
  const { mimeType, data } = part;
  const isData = typeof mimeType === "string" && data instanceof Uint8Array;
  return isData ? { type: "data", mediaType: mimeType, bytes: data } : undefined;
}
