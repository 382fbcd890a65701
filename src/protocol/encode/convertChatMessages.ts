import { convertChatReasoning, readExtras } from "../conversation/chatReasoning.ts";
import { convertContent } from "./convertMessages.ts";
import type {
  ChatRequest,
  ContentPart,
  Message,
  ToolCall,
  ToolChoice,
  ToolResult,
} from "../conversation/conversation.ts";
import { toolArgumentsText } from "../conversation/toolCalls.ts";

/** Converts messages for Chat Completions. Each tool result becomes a separate message. */
export function convertChatMessages(messages: readonly Message[]): readonly object[] {
  return messages.flatMap((message) => [...convertResults(message), ...convertMessage(message)]);
}

function convertResults({ content }: Message): readonly object[] {
  return content
    .filter((part): part is ToolResult => part.type === "tool-result")
    .map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
}

function convertMessage(message: Message): readonly object[] {
  const calls = message.content.filter((part): part is ToolCall => part.type === "tool-call");
  const said = message.content.filter(isSpoken);
  if (said.length === 0 && calls.length === 0 && message.content.length > 0) return [];
  const content = calls.length > 0 && said.length === 0 ? null : convertSpoken({ ...message, content: said });
  if (calls.length === 0) return [{ role: message.role, content }];
  const reasoning = convertChatReasoning(message.content);
  const extras = readExtras(message.content);
  const made = calls.map((call) => ({ ...convertCall(call), ...extras.get(call.id) }));
  return [{ role: message.role, content, ...reasoning, tool_calls: made }];
}

type SpokenPart = Extract<ContentPart, { type: "text" | "image" | "pdf" }>;

function isSpoken(part: ContentPart): part is SpokenPart {
  return part.type === "text" || part.type === "image" || part.type === "pdf";
}

/** Returns a plain string if the message has only text (specification, section 2). */
function convertSpoken(message: Message): string | readonly object[] {
  const spoken = message.content.filter(isSpoken);
  return spoken.every(({ type }) => type === "text") ? convertContent(message) : spoken.map(convertPart);
}

function convertPart(part: SpokenPart): object {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
    case "pdf":
      return {
        type: "file",
        file: { filename: part.name, file_data: `data:application/pdf;base64,${part.data}` },
      };
  }
}

function convertCall({ id, name, arguments: given }: ToolCall): object {
  return { id, type: "function", function: { name, arguments: toolArgumentsText(given) } };
}

/** Returns the tools and the tool choice as request members. */
export function convertChatTools({ tools, toolChoice }: ChatRequest): object {
  if (tools === undefined || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
    ...(toolChoice === undefined ? {} : { tool_choice: convertChoice(toolChoice) }),
  };
}

function convertChoice(choice: ToolChoice): string | object {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}
