import * as v from "valibot";
import { type Cause, causes } from "../../client/failure/cause.ts";
import type { CallRecord } from "../../client/request/call.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { wholeStart } from "../../text/cutText.ts";
import { timeSchema } from "../transcript/transcriptSchema.ts";

/** What sends requests outside of a chat. `language-model`: VS Code's own chat, or another extension. */
const plainAskers = [
  "edit",
  "review",
  "commit-message",
  "check",
  "compatibility",
  "model-list",
  "language-model",
] as const;

/** What sent a request. A chat is named by its ID only, because its title comes from a question. */
export type Asker =
  | { readonly kind: "chat" | "compaction"; readonly chat: string }
  | { readonly kind: (typeof plainAskers)[number] };

/** One request as it is stored: names, numbers and IDs, and no text of a question, an answer or a file. */
export interface RequestRecord {
  /** ISO 8601. */
  readonly at: string;
  readonly asker: Asker;
  readonly connection: string;
  /** Absent for a list of models. */
  readonly model?: string;
  readonly clientStyle?: (typeof clientStyles)[number];
  /** HTTP status; absent if no answer arrived. */
  readonly status?: number;
  /** Why the request failed; `cancelled` if it was stopped. */
  readonly cause?: Cause;
  readonly inputTokens?: number;
  /** Part of `inputTokens` that came from the service's cache. */
  readonly cachedTokens?: number;
  /** Absent if the answer did not end, because the service counts it at the end. */
  readonly outputTokens?: number;
  /** The price that the settings had, per million tokens. */
  readonly price?: { readonly input: number; readonly output: number; readonly currency: string };
  readonly firstTokenMs?: number;
  readonly milliseconds: number;
  readonly requestId?: string;
}

/** Maximum UTF-16 units of a name. */
const maxNameLength = 1000;
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(maxNameLength));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const perMillion = v.pipe(v.number(), v.finite(), v.minValue(0));

const askerSchema = v.variant("kind", [
  v.strictObject({ kind: v.picklist(["chat", "compaction"]), chat: v.pipe(v.string(), v.uuid()) }),
  v.strictObject({ kind: v.picklist(plainAskers) }),
]);

/** Drops fields that it does not know, which a later version may write. */
export const recordSchema = v.object({
  at: timeSchema,
  asker: askerSchema,
  connection: name,
  model: v.exactOptional(name),
  clientStyle: v.exactOptional(v.picklist(clientStyles)),
  status: v.exactOptional(v.pipe(count, v.maxValue(999))),
  cause: v.exactOptional(v.picklist(causes)),
  inputTokens: v.exactOptional(count),
  cachedTokens: v.exactOptional(count),
  outputTokens: v.exactOptional(count),
  price: v.exactOptional(
    v.object({
      input: perMillion,
      output: perMillion,
      currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    }),
  ),
  firstTokenMs: v.exactOptional(count),
  milliseconds: count,
  requestId: v.exactOptional(name),
}) satisfies v.GenericSchema<unknown, RequestRecord>;

interface RequestFacts {
  readonly asker: Asker;
  readonly connection: string;
  /** Undefined if the settings have none for the model. */
  readonly price: RequestRecord["price"];
  /** Removes the request's key from a name that the user chose. */
  readonly clean: (name: string) => string;
}

/** Returns what is stored of a request that has ended. A list of models is named as such, whatever asked for it. */
export function recordOf(call: CallRecord, { asker, connection, price, clean }: RequestFacts): RequestRecord {
  const { at, method, status, cause, requestId, milliseconds, firstTokenMs, usage, model, clientStyle } = call;
  const { inputTokens, cacheReadTokens, outputTokens } = usage ?? {};
  const store = (text: string): string => wholeStart(clean(text), maxNameLength);
  const isList = method === "GET" && asker.kind !== "check";
  return {
    at: at.toISOString(),
    asker: isList ? { kind: "model-list" } : asker,
    connection: store(connection),
    ...(model === undefined ? {} : { model: store(model) }),
    ...(clientStyle === undefined ? {} : { clientStyle }),
    ...(status === undefined ? {} : { status }),
    ...(cause === undefined ? {} : { cause }),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cachedTokens: cacheReadTokens }),
    ...(outputTokens === undefined || cause !== undefined ? {} : { outputTokens }),
    ...(price === undefined || model === undefined ? {} : { price }),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs: Math.round(firstTokenMs) }),
    milliseconds: Math.round(milliseconds),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Returns the record of a line, or undefined if the line is broken. */
export function readRecordLine(line: string): RequestRecord | undefined {
  try {
    const parsed = v.safeParse(recordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
