import { isFields, readFields, readString } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";
import { readIndex, type ToolCallPiece } from "../conversation/toolCalls.ts";

/** Reads `tool_calls` of a message or a delta, or the one `function_call` of older servers; what says nothing is none. */
export function readChatToolCalls(calls: object): readonly ToolCallPiece[] {
  return readPieces(calls).filter(
    ({ id, name, text, extra }) => id !== "" || name !== "" || text !== "" || extra !== undefined,
  );
}

function readPieces(calls: object): readonly ToolCallPiece[] {
  if (Array.isArray(calls)) return calls.filter((call) => isFields(call)).map((call) => readPiece(call));
  return isFields(calls) ? [readPiece({ index: 0, function: calls })] : [];
}

function readPiece(call: Fields): ToolCallPiece {
  const called = readFields(call, "function") ?? {};
  const extra = readFields(call, "extra_content");
  return {
    index: readIndex(call["index"]),
    id: readString(call, "id") ?? "",
    name: readString(called, "name") ?? "",
    text: readText(called["arguments"]),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** Arguments are a text of JSON; some servers send the object itself. */
function readText(given: unknown): string {
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : JSON.stringify(given);
}
