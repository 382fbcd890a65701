import { readBlock } from "./contentParts.ts";
import type { ReasoningPart } from "./conversation.ts";
import { readString } from "./json.ts";
import type { Fields } from "./json.ts";

/** Maximum length of a signature in characters. Blocks with longer ones are dropped. */
const maxSignatureCharacters = 1024 * 1024;

interface OpenBlock {
  text: string;
  /** Undefined if none arrived. An empty signature is sent back unchanged. */
  signature: string | undefined;
}

/** Assembles the thinking blocks of one Messages answer from pieces. One block is open at a time. */
export class ThinkingBlocks {
  #open: OpenBlock | undefined;

  /** Begins a block of any type. Returns the block that was open, and a redacted block immediately. */
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

  /** Adds a piece of a block. Some services send thinking deltas without starting a block. */
  add(delta: Fields): void {
    const { type } = delta;
    if (type === "thinking_delta") {
      this.#open ??= { text: "", signature: undefined };
      this.#open.text += textOf(delta);
    }
    if (this.#open !== undefined && (type === "thinking_delta" || type === "signature_delta"))
      this.#sign(this.#open, delta["signature"]);
  }

  /** Ends the open block and returns it. */
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

/** Reads a complete block as reasoning to send back. Returns an empty list for other block types. */
export function readThinkingBlock(block: Fields): readonly ReasoningPart[] {
  const blocks = new ThinkingBlocks();
  return [...blocks.begin(block), ...blocks.close()];
}

function textOf(block: Fields): string {
  return readBlock(block)
    .map((part) => (part.type === "reasoning-delta" ? part.text : ""))
    .join("");
}

/** Converts a reasoning part to a block; undefined for reasoning of Chat Completions. */
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
