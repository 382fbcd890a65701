import * as v from "valibot";
import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../text/translate.ts";
import { costOf } from "../transcript/usage.ts";
import { type Asker, recordSchema, type RequestRecord } from "./requestRecord.ts";

/** The content of the page of requests. All texts are in the user's language. */
export interface ShownRequests {
  /** `failed`: the requests could not be read, for the reason in `note`. */
  readonly state: "loading" | "ready" | "failed";
  /** Newest first. A record without a price has the price of today's settings. */
  readonly records: readonly RequestRecord[];
  /** Titles of the chats of this workspace, by ID. Looked up to be shown, and not stored with the requests. */
  readonly titles: Readonly<Record<string, string>>;
  /** Names of the causes of failures in the records, by cause. */
  readonly causes: Readonly<Record<string, string>>;
  /** A remark about the list, such as that it is not complete. */
  readonly note?: string;
}

/** The message to the page: always everything, or one request that has just ended. */
export type ToRequestsPage =
  | {
      readonly type: "requests";
      readonly requests: ShownRequests;
      /** Translations by English text. Empty for English. */
      readonly translations: Readonly<Record<string, string>>;
    }
  | { readonly type: "request-added"; readonly added: Omit<ShownRequests, "state" | "note"> };

/** A choice of requests. Empty texts match everything. */
export interface RequestFilter {
  /** Words that a row must contain, in any order and case. */
  readonly text: string;
  readonly connection: string;
  readonly model: string;
  /** Earliest time, ISO 8601, or empty. */
  readonly since: string;
}

/** A message from the page. The host makes the CSV from its own rows. */
export type FromRequestsPage =
  | { readonly type: "ready" }
  | { readonly type: "action"; readonly id: "refresh" | "clear" }
  | { readonly type: "copy-csv"; readonly filter: RequestFilter };

const text = v.string();
const texts = v.record(text, text);
const added = { records: v.array(recordSchema), titles: texts, causes: texts };

const toPageSchema = v.variant("type", [
  v.strictObject({
    type: v.literal("requests"),
    requests: v.strictObject({
      state: v.picklist(["loading", "ready", "failed"]),
      ...added,
      note: v.exactOptional(text),
    }),
    translations: texts,
  }),
  v.strictObject({ type: v.literal("request-added"), added: v.strictObject(added) }),
]);

const filterText = v.pipe(text, v.maxLength(1000));
const filterSchema = v.strictObject({
  text: filterText,
  connection: filterText,
  model: filterText,
  since: filterText,
}) satisfies v.GenericSchema<unknown, RequestFilter>;

const fromPageSchema = v.variant("type", [
  v.strictObject({ type: v.literal("ready") }),
  v.strictObject({ type: v.literal("action"), id: v.picklist(["refresh", "clear"]) }),
  v.strictObject({ type: v.literal("copy-csv"), filter: filterSchema }),
]);

/** Returns the message to the page, or undefined if the message is invalid. */
export function readToRequestsPage(message: unknown): ToRequestsPage | undefined {
  const parsed = v.safeParse(toPageSchema, message);
  return parsed.success ? parsed.output : undefined;
}

/** Returns the page's message, or undefined if the message is invalid. */
export function readFromRequestsPage(message: unknown): FromRequestsPage | undefined {
  const parsed = v.safeParse(fromPageSchema, message);
  return parsed.success ? parsed.output : undefined;
}

/** Adds requests that have ended at the top. */
export function withAdded(
  shown: ShownRequests,
  { records, titles, causes }: Omit<ShownRequests, "state" | "note">,
): ShownRequests {
  return {
    ...shown,
    records: [...records, ...shown.records],
    titles: { ...shown.titles, ...titles },
    causes: { ...shown.causes, ...causes },
  };
}

/** Names the sender of a request: the title of the chat or its short ID, or the feature. */
export function askerText(asker: Asker, titles: ShownRequests["titles"], t: Translate): string {
  switch (asker.kind) {
    case "chat":
    case "compaction": {
      const title = titles[asker.chat] ?? "";
      return title === "" ? t("Chat {0}", asker.chat.slice(0, 8)) : title;
    }
    case "edit":
      return t("Edit in a file");
    case "review":
      return t("Code review");
    case "completion":
      return t("Complete Here");
    case "commit-message":
      return t("Commit message");
    case "check":
      return t("Connection check");
    case "compatibility":
      return t("Compatibility test");
    case "model-list":
      return t("List of models");
    case "language-model":
      return t("VS Code's chat or an extension");
  }
}

/** The status of the answer and the name of the cause of a failure, such as `429: too many requests`. */
export function statusText({ status, cause }: RequestRecord, causes: ShownRequests["causes"]): string {
  const name = cause === undefined ? undefined : (causes[cause] ?? cause);
  return [status, name].filter((part) => part !== undefined).join(": ");
}

/** Returns the requests that match the filter, in the same order. */
export function filterRequests(
  { records, titles, causes }: Pick<ShownRequests, "records" | "titles" | "causes">,
  { text: typed, connection, model, since }: RequestFilter,
  t: Translate,
): readonly RequestRecord[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter((record) => {
    if (connection !== "" && record.connection !== connection) return false;
    if (model !== "" && record.model !== model) return false;
    if (record.at < since) return false;
    if (words.length === 0) return true;
    const row = [
      askerText(record.asker, titles, t),
      record.connection,
      record.model,
      statusText(record, causes),
      record.requestId,
    ];
    const searched = row.join("\n").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** The cost of a complete answer; undefined if its price or its tokens are unknown. */
export function costOfRequest({ cause, price, ...tokens }: RequestRecord): ReturnType<typeof costOf> {
  return cause === undefined ? costOf(tokens, price) : undefined;
}

/** The sums of some requests. */
export interface RequestSum {
  /** The connection or the model; empty for requests without a model. */
  readonly name: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** One sum per currency. */
  readonly costs: readonly { readonly amount: number; readonly currency: string }[];
  /** Number of answers that may have been billed and whose cost is unknown. */
  readonly withoutCost: number;
}

/** Returns one sum for each connection or model: those with the most tokens first. */
export function sumRequests(
  records: readonly RequestRecord[],
  by: "connection" | "model",
): readonly RequestSum[] {
  const groups = new Map<string, RequestRecord[]>();
  for (const record of records) {
    const name = record[by] ?? "";
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [record]);
    else group.push(record);
  }
  const sums = [...groups].map(([name, group]) => sumOf(name, group));
  return sums.toSorted(
    (one, other) =>
      other.inputTokens + other.outputTokens - one.inputTokens - one.outputTokens ||
      other.requests - one.requests ||
      one.name.localeCompare(other.name),
  );
}

function sumOf(name: string, records: readonly RequestRecord[]): RequestSum {
  const total = (field: "inputTokens" | "cachedTokens" | "outputTokens"): number =>
    records.reduce((sum, record) => sum + (record[field] ?? 0), 0);
  const costs = new Map<string, number>();
  let withoutCost = 0;
  for (const record of records) {
    const cost = costOfRequest(record);
    if (cost !== undefined) costs.set(cost.currency, (costs.get(cost.currency) ?? 0) + cost.amount);
    else if (mayBeBilled(record)) withoutCost += 1;
  }
  return {
    name,
    requests: records.length,
    inputTokens: total("inputTokens"),
    cachedTokens: total("cachedTokens"),
    outputTokens: total("outputTokens"),
    costs: [...costs].map(([currency, amount]) => ({ amount, currency })),
    withoutCost,
  };
}

/** The causes of failures before anything is sent. */
const unsent: ReadonlySet<Cause | undefined> = new Set<Cause>([
  "empty-key",
  "malformed-key",
  "not-a-key",
  "insecure-address",
  "key-origin-mismatch",
  "invalid-header",
  "proxy",
  "tls",
]);

/**
 * Whether the service began an answer, or may have begun one before the request was stopped or the connection broke. A
 * refused request and a list of models are not billed. Some services refuse with a status of success.
 */
function mayBeBilled({ model, status, cause, isUnconnected, firstTokenMs }: RequestRecord): boolean {
  if (model === undefined || (cause === "bad-request" && firstTokenMs === undefined)) return false;
  return status === undefined ? isUnconnected !== true && !unsent.has(cause) : status >= 200 && status < 300;
}

/** The columns of the CSV. They are the same in all languages, for scripts. */
const csvColumns = [
  "time",
  "asked_by",
  "chat_id",
  "connection",
  "model",
  "client_style",
  "status",
  "cause",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "cost",
  "currency",
  "first_token_ms",
  "total_ms",
  "request_id",
] as const;

/** Returns the requests as CSV (RFC 4180), with a header line and CRLF after each line. */
export function requestsCsv(records: readonly RequestRecord[]): string {
  return [csvColumns, ...records.map(csvRow)].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

function csvRow(record: RequestRecord): readonly (string | number | undefined)[] {
  const cost = costOfRequest(record);
  const { asker } = record;
  return [
    record.at,
    asker.kind,
    "chat" in asker ? asker.chat : undefined,
    record.connection,
    record.model,
    record.clientStyle,
    record.status,
    record.cause,
    record.inputTokens,
    record.cachedTokens,
    record.outputTokens,
    cost === undefined ? undefined : plainDecimal(cost.amount),
    cost?.currency,
    record.firstTokenMs,
    record.milliseconds,
    record.requestId,
  ];
}

/** Writes an amount without exponent and without zeros at the end. */
function plainDecimal(amount: number): string {
  return amount.toFixed(10).replace(/\.?0+$/, "");
}

/** Spreadsheets run a cell that begins like this as a formula, some also after spaces or with full-width characters. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  const cell = String(value);
  // An apostrophe makes it a text.
  const safe = formulaStart.test(cell) ? `'${cell}` : cell;
  // Some languages separate cells by semicolons or tabs.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
