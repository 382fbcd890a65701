import type {
  ChatRequest,
  ContentPart,
  Message,
  ToolArguments,
  ToolChoice,
} from "../conversation/conversation.ts";
import { convertThinking } from "../conversation/thinkingBlocks.ts";

/** The turns as the messages style takes them; system messages are no turns there. */
export function convertMessages(messages: readonly Message[]): readonly object[] {
  return messages
    .filter(({ role }) => role !== "system")
    .map((message) => ({ role: message.role, content: convertTurn(message) }));
}

/** Results of tools must stand ahead of what else the user says. Reasoning goes back beside calls only. */
function convertTurn(message: Message): string | readonly object[] {
  const hasCalls = message.content.some(({ type }) => type === "tool-call");
  const content = message.content.filter(({ type }) => hasCalls || type !== "reasoning");
  if (content.every(({ type }) => type === "text")) return convertContent(message);
  const results = content.filter(({ type }) => type === "tool-result");
  const rest = content.filter(({ type }) => type !== "tool-result");
  return [...results, ...rest].flatMap((part) => convertPart(part) ?? []);
}

function convertPart(part: ContentPart): object | undefined {
  switch (part.type) {
    case "text":
      return part;
    case "reasoning":
      return convertThinking(part);
    case "image":
      return { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } };
    case "tool-call":
      return { type: "tool_use", id: part.id, name: part.name, input: convertInput(part.arguments) };
    case "tool-result":
      return {
        type: "tool_result",
        tool_use_id: part.callId,
        content: part.text,
        ...(part.isError === true ? { is_error: true } : {}),
      };
  }
}

/** The style takes an object only; arguments that are none are shown to the model for what they are. */
function convertInput(given: ToolArguments): object {
  return given.kind === "object" ? given.value : { INVALID_JSON: given.text };
}

/** The tools and the choice among them, as members of the request. */
export function convertTools({ tools, toolChoice }: ChatRequest): object {
  if (tools === undefined || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    ...(toolChoice === undefined ? {} : { tool_choice: convertChoice(toolChoice) }),
  };
}

function convertChoice(choice: ToolChoice): object {
  if (typeof choice !== "string") return { type: "tool", name: choice.name };
  return { type: choice === "required" ? "any" : choice };
}

/** The text of a message, as the plain string that both styles take (specification, section 2). */
export function convertContent(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
