import { isFields, parseJson } from "../../protocol/conversation/json.ts";

/** Elements that models write for a call if they do not make one. */
const elements =
  /<(?:tool_call|function_call|function|invoke|tool_use)\b|<\|tool_calls?(?:_begin)?\|>|\[TOOL_CALLS\]/i;
const fences = /```[\w-]*\n([\s\S]*?)```/g;

/** Whether a text holds the call of one of these tools, written out instead of made. */
export function hasWrittenCall(text: string, toolNames: readonly string[]): boolean {
  const names = toolNames.filter((name) => text.includes(name));
  if (names.length === 0) return false;
  if (elements.test(text)) return true;
  if (names.some((name) => text.includes(`<${name}>`))) return true;
  const blocks = [text, ...Array.from(text.matchAll(fences), ([, block = ""]) => block)];
  const values = blocks.flatMap((block) => parseJson(block.trim()));
  return values.some((value) => names.some((name) => isCallOf(name, value)));
}

function isCallOf(name: string, value: unknown): boolean {
  if (!isFields(value)) return false;
  const inner = value["function"];
  return value["name"] === name || value["tool"] === name || (isFields(inner) && inner["name"] === name);
}
