import * as vscode from "vscode";
import { convertGivenMessages } from "../../chat/givenMessages.ts";
import type { ChatRequest, Tool } from "../../protocol/conversation.ts";
import { isFields, type Fields } from "../../protocol/fields.ts";
import { readSampling } from "../../protocol/sampling.ts";
import type { AskedModel } from "./askedModel.ts";
import { readGivenMessage } from "./givenParts.ts";
import type { LanguageModelsOptions } from "./languageModelsOptions.ts";

/**
 * The request for what the editor asks. Stored keys are yet to be taken out of its texts.
 * @throws Error where there is nothing to ask
 */
export function buildRequest(
  { rooms, log }: LanguageModelsOptions,
  { connection, modelId, clientStyle }: AskedModel,
  given: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode, modelOptions = {} }: vscode.ProvideLanguageModelChatResponseOptions,
): ChatRequest {
  const room = rooms.roomOf(connection, modelId, clientStyle);
  const messages = convertGivenMessages(given.map(readGivenMessage), room.takesImages !== false);
  if (messages.length === 0)
    throw new Error(vscode.l10n.t("There is nothing to send: every message is empty."));
  const { sampling, maxTokens = Infinity, ignored } = readSampling(modelOptions);
  // Names that begin so are notes that the editor's chat makes for its own models.
  const unknown = ignored.filter((name) => /^[a-z]\w{0,40}$/i.test(name));
  if (unknown.length > 0) log.note(vscode.l10n.t("Model options that are not sent: {0}", unknown.join(", ")));
  const mustCall = toolMode === vscode.LanguageModelChatToolMode.Required && tools.length > 0;
  return {
    model: modelId,
    messages,
    maxTokens: Math.min(room.maxTokens, maxTokens),
    stream: true,
    sampling,
    ...(tools.length === 0 ? {} : { tools: tools.map(convertTool) }),
    ...(mustCall ? { toolChoice: "required" } : {}),
    // An answer that could call no tool would pass for one that wanted none.
    required: [...(tools.length === 0 ? [] : ["tools"]), ...(mustCall ? ["tool_choice"] : [])],
  };
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
