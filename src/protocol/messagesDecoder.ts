import { readBlock } from "./contentParts.ts";
import type { StreamPart, Usage } from "./conversation.ts";
import { readErrorBody } from "./errorBody.ts";
import { isErrorBody } from "./errorShape.ts";
import { readEventData } from "./eventData.ts";
import { readFields, readString } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { mapStopReason } from "./stopReason.ts";
import { readUsage } from "./usage.ts";
import type { StreamDecoder } from "./wireStyle.ts";

/**
 * Reads the events of a messages stream. Events are told apart by `type` in their data, since some
 * gateways send no `event:` lines; unknown events, blocks and deltas are left out.
 */
export function createMessagesDecoder(): StreamDecoder {
  return new Decoder();
}

class Decoder implements StreamDecoder {
  #ended = false;
  #usage: Usage = {};

  get ended(): boolean {
    return this.#ended;
  }

  decode(data: string, event?: string): readonly StreamPart[] {
    if (event === "error") return [{ type: "error", error: readErrorBody(data) }];
    const read = readEventData(data);
    if (read.kind === "done") this.#ended = true;
    return read.kind === "fields" ? this.#read(read.fields) : [];
  }

  #read(fields: Fields): readonly StreamPart[] {
    switch (fields["type"]) {
      case "content_block_delta":
        return readBlock(readFields(fields, "delta") ?? {});
      case "content_block_start":
        return readBlock(readFields(fields, "content_block") ?? {});
      case "message_start":
        return this.#countTokens(readFields(fields, "message") ?? {});
      case "message_delta":
        return this.#readDelta(fields);
      case "message_stop":
        this.#ended = true;
        return [];
      case "ping":
      case "content_block_stop":
        return [];
      default:
        return isErrorBody(fields) ? [{ type: "error", error: readErrorBody(fields) }] : [];
    }
  }

  #readDelta(fields: Fields): readonly StreamPart[] {
    const finish = readFinish(readFields(fields, "delta") ?? {});
    const usage = this.#countTokens(fields);
    if (finish === undefined) return usage;
    this.#ended = true;
    return [...usage, finish];
  }

  /** Later counts revise earlier ones, field by field. */
  #countTokens(fields: Fields): readonly StreamPart[] {
    const usage = readUsage(readFields(fields, "usage") ?? {});
    if (usage === undefined) return [];
    this.#usage = { ...this.#usage, ...usage };
    return [{ type: "usage", usage: this.#usage }];
  }
}

/** The end that a message, or the delta of one, names. */
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
