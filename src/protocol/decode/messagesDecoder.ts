import { readBlock } from "../conversation/contentParts.ts";
import type { StreamPart } from "../conversation/conversation.ts";
import { readErrorBody, isErrorEvent } from "./errorBody.ts";
import { mapStopReason, isCompletion, isOtherApiEvent, EventDecoder } from "./decoding.ts";
import { isFields, readFields, readString } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { LeadingThought, withoutThought } from "./leadingThought.ts";
import { ThinkingBlocks } from "../conversation/thinkingBlocks.ts";
import {
  readIndex,
  ToolCallCollector,
  type ToolCallPiece,
  writeGivenArguments,
} from "../conversation/toolCalls.ts";
import { readTokenCounts, reviseCounts, type TokenCounts, toUsage } from "./usage.ts";
import type { StreamDecoder } from "../conversation/wireStyle.ts";

/**
 * Decodes the events of a messages stream. Uses `type` in the data, because some gateways send no `event:` lines.
 * Ignores unknown events, blocks and deltas.
 */
export function createMessagesDecoder(): StreamDecoder {
  return new Decoder();
}

class Decoder extends EventDecoder implements StreamDecoder {
  #counts: TokenCounts = {};
  #calls: ToolCallCollector | undefined;
  readonly #thinking = new ThinkingBlocks();
  readonly #thought = new LeadingThought();
  /** The index of the last block if it is a call. */
  #openCall: { readonly index: number | undefined } | undefined;

  get argumentCharacters(): number {
    return this.#calls?.characters ?? 0;
  }

  close(): readonly StreamPart[] {
    if (this.ended) return [];
    this.end();
    return this.#closeCalls();
  }

  decodeFields(fields: Fields): readonly StreamPart[] {
    switch (fields["type"]) {
      case "content_block_delta":
        return this.#readBlockDelta(fields);
      case "content_block_start":
        return this.#startBlock(fields, readFields(fields, "content_block") ?? {});
      case "message_start":
        return this.#countTokens(readFields(fields, "message") ?? {});
      case "message_delta":
        return this.#readDelta(fields);
      case "message_stop":
        return this.close();
      // A call ends with the message, because more of its arguments may follow the end of its block.
      case "content_block_stop":
        return [...this.#thought.close(), ...this.#thinking.close()];
      case "ping":
        return [];
      default:
        if (isCompletion(fields)) this.noteOtherStyle();
        else if (isOtherApiEvent(fields)) this.noteOtherApi();
        return isErrorEvent(fields) ? [{ type: "error", error: readErrorBody(fields) }] : [];
    }
  }

  #startBlock(fields: Fields, block: Fields): readonly StreamPart[] {
    // Keep the order of reasoning and calls, because both are sent back in this order.
    const calls = isThinking(block) ? (this.#calls?.closeAll() ?? []) : [];
    const before = [...calls, ...this.#thinking.begin(block)];
    this.#openCall = undefined;
    if (block["type"] !== "tool_use")
      return [...before, ...this.#emit(withoutThought(readBlock(block), this.#thought))];
    this.resume();
    this.#calls ??= new ToolCallCollector();
    this.#openCall = { index: indexOf(fields) };
    this.#calls.begin(readToolUse(block, this.#openCall.index));
    return before;
  }

  #readBlockDelta(fields: Fields): readonly StreamPart[] {
    const delta = fields["delta"];
    if (!isFields(delta)) return [];
    this.#thinking.add(delta);
    if (delta["type"] !== "input_json_delta")
      return this.#emit(withoutThought(readBlock(delta), this.#thought));
    this.#addArguments(indexOf(fields), delta["partial_json"]);
    return [];
  }

  /**
   * Adds arguments to a call. Some gateways send the deltas of a call with another index than its start. Such deltas go
   * to the last call.
   */
  #addArguments(index: number | undefined, given: unknown): void {
    const text = isFields(given) ? writeGivenArguments(given) : given;
    if (typeof text !== "string" || this.#calls === undefined) return;
    if (!this.#calls.add(index, text) && this.#openCall !== undefined)
      this.#calls.add(this.#openCall.index, text);
  }

  #emit(parts: readonly StreamPart[]): readonly StreamPart[] {
    if (parts.length > 0) this.resume();
    return parts;
  }

  #readDelta(fields: Fields): readonly StreamPart[] {
    const finish = readFinish(readFields(fields, "delta") ?? {});
    const usage = this.#countTokens(fields);
    if (finish === undefined) return usage;
    this.finish();
    return [...this.#closeCalls(), ...usage, finish];
  }

  /** Ends all open blocks with the message. */
  #closeCalls(): readonly StreamPart[] {
    return [...this.#thought.close(), ...this.#thinking.close(), ...(this.#calls?.closeAll() ?? [])];
  }

  #countTokens(fields: Fields): readonly StreamPart[] {
    const counts = readTokenCounts(readFields(fields, "usage") ?? {});
    if (toUsage(counts) === undefined) return [];
    this.#counts = reviseCounts(this.#counts, counts);
    const usage = toUsage(this.#counts);
    return usage === undefined ? [] : [{ type: "usage", usage }];
  }
}

function indexOf(fields: Fields): number | undefined {
  return readIndex(fields["index"]);
}

function isThinking({ type }: Fields): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Reads a tool-use block. `input` is complete, or empty if it is streamed; some gateways do both. */
export function readToolUse(block: Fields, index: number | undefined): ToolCallPiece {
  const input = block["input"];
  const isEmpty = !isFields(input) || Object.keys(input).length === 0;
  const initialArguments = typeof input === "string" ? input : isEmpty ? "" : writeGivenArguments(input);
  return {
    index,
    id: readString(block, "id") ?? "",
    name: readString(block, "name") ?? "",
    text: "",
    initialArguments,
  };
}

/** Returns the finish part of a message or delta; undefined if it names no stop reason. */
export function readFinish(fields: Fields): StreamPart | undefined {
  const wireReason = readString(fields, "stop_reason");
  if (wireReason === undefined) return undefined;
  const explanation = readString(readFields(fields, "stop_details") ?? {}, "explanation");
  const reason = mapStopReason(wireReason);
  return {
    type: "finish",
    reason,
    wireReason,
    ...(explanation === undefined ? {} : { explanation }),
  };
}
