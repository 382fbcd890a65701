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

/** A request, and whose its cap on tokens is. */
export interface BuiltRequest {
  readonly request: ChatRequest;
  readonly cap: Cap;
}

/**
 * The request for what the editor asks. Stored keys are yet to be taken out of its texts.
 * @throws Error where there is nothing to ask
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
  // Names that begin so are notes that the editor's chat makes for its own models.
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
    // An answer that could call no tool would pass for one that wanted none.
    required: [...(tools.length === 0 ? [] : ["tools"]), ...(mustCall ? ["tool_choice"] : [])],
  };
  const own: Cap = answerLimit === readMaxTokensSetting() ? "setting" : "model";
  return { request, cap: wanted < answerLimit ? "caller" : own };
}

/** A tool without a schema takes no arguments; both styles want an object's. */
function convertTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): Tool {
  const schema: Fields = isFields(inputSchema) ? inputSchema : {};
  return {
    name,
    description,
    schema: schema["type"] === undefined ? { type: "object", properties: {}, ...schema } : schema,
  };
}

/** The editor's messages as plain data. Parts of kinds that this version does not know are left out. */
export function readRequestMessage(message: vscode.LanguageModelChatRequestMessage): LanguageModelMessage {
  return { role: roleOf(message.role), parts: message.content.flatMap(readPart) };
}

/** The editor's own chat gives system messages, whose role the stable API has no name for. */
function roleOf(role: vscode.LanguageModelChatMessageRole): Role {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === vscode.LanguageModelChatMessageRole.User ? "user" : "system";
}

/** Thinking parts are left out here; what goes back of them is found by the calls (`returnedReasoning`). */
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
