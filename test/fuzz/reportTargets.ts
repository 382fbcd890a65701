import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type FromReportPage,
  readFromReportPage,
  readReportMessage,
  type ReportMessage,
} from "../../src/connection/report/reportMessages.ts";
import { parseJson } from "../../src/protocol/conversation/json.ts";
import { damagedJson } from "./damagedJson.ts";
import { type FuzzTarget, fuzz } from "./fuzzTarget.ts";
import { jsonTextsWith } from "./hostileTexts.ts";

/** A report with every kind of block, and every member that a block can have. */
const report: ReportMessage["report"] = {
  title: "Connection Check: Acme",
  summary: { state: "bad", text: "It failed." },
  blocks: [
    { kind: "facts", rows: [{ label: "Connection", value: "Acme" }] },
    {
      kind: "table",
      caption: "Steps",
      columns: ["Step", "Result"],
      rows: [
        [{ text: "Models" }, { text: "Failed", state: "bad", detail: "HTTP 401" }],
        [{ text: "Completion" }, { text: "Not run", state: "skipped" }],
      ],
    },
    {
      kind: "diagnosis",
      diagnosis: {
        cause: "invalid-key",
        title: "The key was refused",
        explanation: "The service does not know it.",
        evidence: ["HTTP 401"],
        actions: [{ id: "set-api-key", label: "Set Key" }],
        requestId: "r1",
      },
    },
    { kind: "note", text: "Nothing was billed." },
  ],
  actions: [{ id: "retry", label: "Run Again", isBillable: true }],
};
const toPage: readonly ReportMessage[] = [
  { type: "report", report, translations: {} },
  { type: "report", report: { ...report, blocks: [], actions: [] }, translations: { Copy: "Kopieren" } },
];
const fromPage: readonly FromReportPage[] = [{ type: "ready" }, { type: "action", id: "retry" }];

const anything = jsonTextsWith(
  ["type", "id", "report", "blocks", "kind", "rows", "state", "text", "translations"],
  ['"ready"', '"action"', '"facts"', '"good"', '[["a"]]', '{"kind":"note"}', `"${"i".repeat(65)}"`],
);

/** Generates a valid message, and JSON that is damaged or arbitrary. */
function given<Message>(samples: readonly Message[]): fc.Arbitrary<[Message, string]> {
  const whole = fc.constantFrom(...samples);
  const damaged = whole.chain((message) => damagedJson(message, anything));
  return fc.tuple(whole, fc.oneof(damaged, anything));
}

export const reportTargets: readonly FuzzTarget[] = [
  fuzz("messages of a report's page", given(fromPage), ([whole, json]) => {
    assert.deepEqual(readFromReportPage(whole), whole);
    const posted = parseJson(json);
    const read = readFromReportPage(posted);
    if (read !== undefined) assert.deepEqual(read, posted);
  }),
  fuzz("messages to a report's page", given(toPage), ([whole, json]) => {
    assert.deepEqual(readReportMessage(whole), whole);
    const posted = parseJson(json);
    const read = readReportMessage(posted);
    if (read === undefined) return;
    // The reader leaves only texts in `translations`, whatever the message contained.
    assert.ok(Object.values(read.translations).every((text) => typeof text === "string"));
    assert.deepEqual({ ...read, translations: {} }, { ...Object(posted), translations: {} });
  }),
];
