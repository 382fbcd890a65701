import type {
  ChatRequest,
  ContentPart,
  Message,
  ToolArguments,
  ToolChoice,
} from "../conversation/conversation.ts";
import { convertThinking } from "../conversation/thinkingBlocks.ts";

/** Converts messages for the Messages style, without system messages. */
export function convertMessages(messages: readonly Message[]): readonly object[] {
  return messages
    .filter(({ role }) => role !== "system")
    .map((message) => ({ role: message.role, content: convertTurn(message) }));
}

/** Tool results must precede other content of the user. Reasoning is only sent back together with calls. */
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
    case "pdf":
      return {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: part.data },
        title: part.name,
      };
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

/** Returns arguments as an object, which this style requires. Invalid arguments are shown to the model as text. */
function convertInput(given: ToolArguments): object {
  return given.kind === "object" ? given.value : { INVALID_JSON: given.text };
}

/** Returns the tools and the tool choice as request members. */
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

/** Returns the text of a message as a plain string, which both styles accept (specification, section 2). */
export function convertContent(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
