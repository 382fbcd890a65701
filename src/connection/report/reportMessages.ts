import * as v from "valibot";
import type { Report } from "./report.ts";

/** The message to a page of results. Always contains the whole report, which is small. */
export interface ReportMessage {
  readonly type: "report";
  readonly report: Report;
  /** Translations by English text. Empty for English. */
  readonly translations: Readonly<Record<string, string>>;
}

/** A message from the page: it is ready, or a button was clicked. */
export type FromReportPage = { readonly type: "ready" } | { readonly type: "action"; readonly id: string };

const text = v.string();
const state = v.picklist(["good", "bad", "running", "neutral"]);
const action = v.strictObject({ id: text, label: text });
const reportAction = v.strictObject({ ...action.entries, isBillable: v.exactOptional(v.boolean()) });
const cell = v.strictObject({
  text,
  state: v.exactOptional(v.picklist([...state.options, "skipped"])),
  detail: v.exactOptional(text),
});
/** Cause and IDs are only passed on, so any text is valid. */
const diagnosis = v.strictObject({
  cause: text,
  title: text,
  explanation: text,
  evidence: v.array(text),
  actions: v.array(action),
  requestId: v.exactOptional(text),
});

const reportMessageSchema = v.strictObject({
  type: v.literal("report"),
  report: v.strictObject({
    title: text,
    summary: v.strictObject({ state, text }),
    blocks: v.array(
      v.variant("kind", [
        v.strictObject({
          kind: v.literal("facts"),
          rows: v.array(v.strictObject({ label: text, value: text })),
        }),
        v.strictObject({
          kind: v.literal("table"),
          caption: text,
          columns: v.array(text),
          rows: v.array(v.array(cell)),
        }),
        v.strictObject({ kind: v.literal("diagnosis"), diagnosis }),
        v.strictObject({ kind: v.literal("note"), text }),
      ]),
    ),
    actions: v.array(reportAction),
  }),
  translations: v.record(text, text),
});

const fromReportPageSchema = v.variant("type", [
  v.strictObject({ type: v.literal("ready") }),
  v.strictObject({ type: v.literal("action"), id: v.pipe(text, v.maxLength(64)) }),
]);

/** A report after validation by the page. */
export type ShownReport = v.InferOutput<typeof reportMessageSchema>["report"];
export type ShownBlock = ShownReport["blocks"][number];

/** Returns the message to the page, or undefined if the message is invalid. */
export function readReportMessage(message: unknown): v.InferOutput<typeof reportMessageSchema> | undefined {
  const parsed = v.safeParse(reportMessageSchema, message);
  return parsed.success ? parsed.output : undefined;
}

/** Returns the page's message, or undefined if the message is invalid. */
export function readFromReportPage(message: unknown): FromReportPage | undefined {
  const parsed = v.safeParse(fromReportPageSchema, message);
  return parsed.success ? parsed.output : undefined;
}
