import { readBlock } from "./contentParts.ts";
import type { ReasoningPart } from "./conversation.ts";
import { readString } from "./json.ts";
import type { Fields } from "./json.ts";

/** What is kept of one signature; characters. A block with a longer one is not kept. */
const maxSignatureCharacters = 1024 * 1024;

interface OpenBlock {
  text: string;
  /** Undefined where none came; an empty one goes back as it is. */
  signature: string | undefined;
}

/** Joins the thinking blocks of one answer of the messages style from their pieces. One is open at a time. */
export class ThinkingBlocks {
  #open: OpenBlock | undefined;

  /** A block of any kind begins. Returns the one that was open, and a redacted one, which is whole at once. */
  begin(block: Fields): readonly ReasoningPart[] {
    const before = this.close();
    if (block["type"] === "redacted_thinking") {
      const data = readString(block, "data");
      return data === undefined ? before : [...before, { type: "reasoning", form: "redacted", data }];
    }
    if (block["type"] === "thinking") {
      this.#open = { text: textOf(block), signature: undefined };
      this.#sign(this.#open, block["signature"]);
    }
    return before;
  }

  /** A piece of a block. Some services send pieces of thinking without a block around them. */
  add(delta: Fields): void {
    const { type } = delta;
    if (type === "thinking_delta") {
      this.#open ??= { text: "", signature: undefined };
      this.#open.text += textOf(delta);
    }
    if (this.#open !== undefined && (type === "thinking_delta" || type === "signature_delta"))
      this.#sign(this.#open, delta["signature"]);
  }

  /** The block that is open is over. */
  close(): readonly ReasoningPart[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    const { text, signature } = open;
    if (text === "" && (signature ?? "") === "") return [];
    if ((signature ?? "").length > maxSignatureCharacters) return [];
    return [{ type: "reasoning", form: "thinking", text, ...(signature === undefined ? {} : { signature }) }];
  }

  #sign(open: OpenBlock, signature: unknown): void {
    if (typeof signature !== "string") return;
    const before = open.signature ?? "";
    if (before.length <= maxSignatureCharacters) open.signature = before + signature;
  }
}

/** A whole block as reasoning to hand back; nothing where it is of another kind. */
export function readThinkingBlock(block: Fields): readonly ReasoningPart[] {
  const blocks = new ThinkingBlocks();
  return [...blocks.begin(block), ...blocks.close()];
}

function textOf(block: Fields): string {
  return readBlock(block)
    .map((part) => (part.type === "reasoning-delta" ? part.text : ""))
    .join("");
}

/** A part of reasoning as a block; undefined for one that came in the other style. */
export function convertThinking(part: ReasoningPart): object | undefined {
  switch (part.form) {
    case "thinking":
      return {
        type: "thinking",
        thinking: part.text,
        ...(part.signature === undefined ? {} : { signature: part.signature }),
      };
    case "redacted":
      return { type: "redacted_thinking", data: part.data };
    case "text":
    case "list":
    case "call":
      return undefined;
  }
}
