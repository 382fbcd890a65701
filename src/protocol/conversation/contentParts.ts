import type { StreamPart } from "./conversation.ts";
import { isFields, readString } from "./json.ts";
import type { Fields } from "./json.ts";

/** The parts in the content of a message or delta, and the text of a refusal. */
export interface ContentReading {
  readonly parts: readonly StreamPart[];
  readonly refusal?: string;
}

const nothing: ContentReading = { parts: [] };

/** Reads content: a string, a list of parts, null or absent. Ignores parts of unknown types. */
export function readContent(content: unknown): ContentReading {
  if (typeof content === "string") {
    return content === "" ? nothing : { parts: [{ type: "text-delta", text: content }] };
  }
  if (!Array.isArray(content)) return nothing;
  const blocks = content.filter((block) => isFields(block));
  const refusal = blocks.map((block) => readString(block, "refusal")).find((text) => text !== undefined);
  const parts = blocks.flatMap((block) => readBlock(block));
  return refusal === undefined ? { parts } : { parts, refusal };
}

/** Reads a text or thinking block of either style, complete or as a delta. */
export function readBlock(block: Fields): readonly StreamPart[] {
  const text = readString(block, "text");
  switch (block["type"]) {
    case "text":
    case "text_delta":
    case "output_text":
    case undefined:
      return text === undefined ? [] : [{ type: "text-delta", text }];
    case "thinking":
    case "thinking_delta":
    case "reasoning": {
      const reasoning = readThinking(block) ?? text;
      return reasoning === undefined ? [] : [{ type: "reasoning-delta", text: reasoning }];
    }
    default:
      return [];
  }
}

/** Reads thinking: a string, or a list of text blocks. */
function readThinking(block: Fields): string | undefined {
  const thinking = block["thinking"];
  if (!Array.isArray(thinking)) return readString(block, "thinking");
  const text = thinking.map((piece) => (isFields(piece) ? (readString(piece, "text") ?? "") : "")).join("");
  return text === "" ? undefined : text;
}
