import * as v from "valibot";
import { type Cause, causes } from "../../client/failure/cause.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { timeSchema } from "../transcript/transcriptSchema.ts";

/** The senders of requests outside of a chat. `language-model`: VS Code's own chat, or another extension. */
const plainAskers = [
  "edit",
  "review",
  "completion",
  "commit-message",
  "check",
  "compatibility",
  "model-list",
  "language-model",
] as const;

/** The sender of a request. A chat is named by its ID only, because its title comes from a question. */
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
  /** Whether no connection was made, so that the service received nothing. */
  readonly isUnconnected?: true;
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
export const maxNameLength = 1000;
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
  isUnconnected: v.exactOptional(v.literal(true)),
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
