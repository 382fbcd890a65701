import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";
import { chatSelectionSchema, timeSchema, transcriptEventSchema } from "../../transcript/transcriptSchema.ts";
import type { ChatSelection, TranscriptEvent } from "../../transcript/transcript.ts";

export const conversationVersion = 1;

/** Maximum UTF-16 units of a title. Longer titles are truncated when they are set. */
export const maxTitleLength = 300;

/** The first record of a conversation's file. */
interface HeaderRecord {
  readonly type: "conversation";
  readonly version: number;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The log that wrote a record, and the record's number in that log. Repeated records are read once. */
interface Written {
  readonly writer: string;
  readonly number: number;
}

export interface EventsRecord extends Written {
  readonly type: "events";
  readonly events: readonly TranscriptEvent[];
}

/** Changes the title, the pinning, a question or the selection of a conversation. Absent fields stay unchanged. */
export interface MetaRecord extends Written {
  readonly type: "meta";
  /** Null restores the title from the first question. */
  readonly title?: string | null;
  readonly pinned?: boolean;
  /** Whether later requests include this question. Older versions of the extension ignore this field. */
  readonly question?: Omit<IncludedEvent, "type">;
  /** The connection and model of the chat's next question. Older versions of the extension ignore this field. */
  readonly selection?: ChatSelection;
}

type IncludedEvent = Extract<TranscriptEvent, { readonly type: "question-included" }>;

export type ConversationRecord = HeaderRecord | EventsRecord | MetaRecord;

const written = {
  writer: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
} as const;

const recordSchema = v.variant("type", [
  v.object({
    type: v.literal("conversation"),
    version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    id: v.pipe(v.string(), v.maxLength(64)),
    createdAt: timeSchema,
  }),
  v.object({
    ...written,
    type: v.literal("events"),
    events: v.pipe(v.array(v.unknown()), v.maxLength(100_000)),
  }),
  v.object({
    ...written,
    type: v.literal("meta"),
    title: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(maxTitleLength)))),
    pinned: v.exactOptional(v.boolean()),
    question: v.exactOptional(
      v.object({ turnId: v.pipe(v.string(), v.maxLength(64)), included: v.boolean() }),
    ),
    selection: v.exactOptional(chatSelectionSchema),
  }),
]);

const anyRecordSchema = v.object({ type: v.string() });

/** The result of reading a line: a record with the number of its unreadable events, or the reason for a failure. */
export type ReadRecord =
  | { readonly kind: "record"; readonly record: ConversationRecord; readonly unreadable: number }
  /** A type that only newer versions of the extension know. */
  | { readonly kind: "unknown" }
  | { readonly kind: "damaged" };

export function readRecord(line: string): ReadRecord {
  const value = parseJson(line);
  const parsed = v.safeParse(recordSchema, value);
  if (!parsed.success) return { kind: isOfUnknownType(value) ? "unknown" : "damaged" };
  const record = parsed.output;
  if (record.type !== "events") return { kind: "record", record, unreadable: 0 };
  const events = record.events.map(readEvent).filter((event) => event !== undefined);
  return {
    kind: "record",
    record: { ...record, events },
    unreadable: record.events.length - events.length,
  };
}

/** Returns undefined if the event is invalid in a stored conversation. */
export function readEvent(event: unknown): TranscriptEvent | undefined {
  const parsed = v.safeParse(transcriptEventSchema, event);
  return parsed.success ? parsed.output : undefined;
}

function isOfUnknownType(value: unknown): boolean {
  const parsed = v.safeParse(anyRecordSchema, value);
  return parsed.success && !["conversation", "events", "meta"].includes(parsed.output.type);
}
