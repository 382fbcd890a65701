import { convertChatReasoning, readExtras } from "../conversation/chatReasoning.ts";
import { convertContent } from "./convertMessages.ts";
import type { ChatRequest, Message, ToolCall, ToolChoice, ToolResult } from "../conversation/conversation.ts";
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
  const said = message.content.filter(({ type }) => type === "text" || type === "image");
  if (said.length === 0 && calls.length === 0 && message.content.length > 0) return [];
  const content = calls.length > 0 && said.length === 0 ? null : convertSpoken({ ...message, content: said });
  if (calls.length === 0) return [{ role: message.role, content }];
  const reasoning = convertChatReasoning(message.content);
  const extras = readExtras(message.content);
  const made = calls.map((call) => ({ ...convertCall(call), ...extras.get(call.id) }));
  return [{ role: message.role, content, ...reasoning, tool_calls: made }];
}

/** Returns a plain string if the message has only text (specification, section 2). */
function convertSpoken(message: Message): string | readonly object[] {
  if (!message.content.some(({ type }) => type === "image")) return convertContent(message);
  return message.content.flatMap<object>((part) => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type !== "image") return [];
    const url = `data:${part.mediaType};base64,${part.data}`;
    return [{ type: "image_url", image_url: { url } }];
  });
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
