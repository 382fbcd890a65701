import assert from "node:assert/strict";
import type { ProbeResult } from "../../../../src/connection/compatibility/compatibility.ts";
import {
  compatibilityJson,
  compatibilityReport,
  type CompatibilityFacts,
  type SeenOfStyle,
} from "../../../../src/connection/compatibility/compatibilityReport.ts";
import type { Report } from "../../../../src/connection/report/report.ts";
import { reportMarkdown } from "../../../../src/connection/report/report.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";

const t = createTranslate();

const result = (more: Partial<ProbeResult>): ProbeResult => ({
  clientStyle: "messages",
  probe: "tools",
  state: "yes",
  evidence: "Called it",
  at: "2026-01-02T03:04:05.678Z",
  ...more,
});

const seen = {
  "chat-completions": {
    results: [
      result({
        clientStyle: "chat-completions",
        state: "no",
        evidence: "Refused. “a|b *bold*”",
        status: 400,
        requestId: "req_7",
      }),
    ],
    learnt: [{ adaptation: { kind: "omit", field: "tools" }, status: 400, requestId: "req_7" }],
  },
  messages: { results: [result({})], learnt: [] },
} satisfies Record<ClientStyle, SeenOfStyle>;

const facts: CompatibilityFacts = {
  connection: "Acme",
  base: "https://h.example",
  model: "service-core",
  seen: (clientStyle) => seen[clientStyle],
};

function rowOf({ blocks }: Report, feature: string) {
  const table = blocks.find((block) => block.kind === "table");
  return table?.rows.find(([name]) => name?.text === feature);
}

describe("compatibilityReport", () => {
  it("shows both client styles side by side, with evidence, status, and request ID", () => {
    const report = compatibilityReport(facts, t);
    assert.deepEqual(rowOf(report, "Tool use"), [
      { text: "Tool use" },
      { text: "no", state: "bad", detail: "Refused. “a|b *bold*” · status 400 · req_7" },
      { text: "yes", state: "good", detail: "Called it" },
    ]);
    assert.deepEqual(rowOf(report, "Image input")?.slice(1), [
      { text: "unknown", state: "skipped" },
      { text: "unknown", state: "skipped" },
    ]);
    assert.deepEqual(report.summary, { state: "neutral", text: "1 yes, 1 no, 0 unclear" });
  });

  it("states how later requests are adapted", () => {
    const tables = compatibilityReport(facts, t).blocks.filter((block) => block.kind === "table");
    assert.deepEqual(tables[1]?.rows, [
      [{ text: "chat-completions: tools is not sent" }, { text: "status 400", detail: "req_7" }],
    ]);
  });

  it("shows the number of the running request, and no actions", () => {
    const steps = [
      { clientStyle: "messages", probe: "tools" },
      { clientStyle: "messages", probe: "image" },
    ] as const;
    const report = compatibilityReport({ ...facts, run: { steps, running: steps[1] } }, t);
    assert.deepEqual(report.summary, { state: "running", text: "Request 3 of 3" });
    assert.deepEqual(rowOf(report, "Image input")?.[2], { text: "testing", state: "running" });
    assert.deepEqual(report.actions, []);
  });

  it("shows the diagnosis before the results", () => {
    const diagnosis = {
      cause: "revoked-key",
      title: "The key was revoked",
      explanation: "Ask for another.",
      evidence: [],
      actions: [],
    } as const;
    const run = { steps: [], end: { kind: "failed", diagnosis } } as const;
    const report = compatibilityReport({ ...facts, run }, t);
    assert.deepEqual(report.blocks[0], { kind: "diagnosis", diagnosis });
    assert.deepEqual(report.summary, { state: "bad", text: "Stopped: The key was revoked" });
  });

  it("copies the facts and results as JSON, without the run", () => {
    assert.deepEqual(JSON.parse(compatibilityJson({ ...facts, run: { steps: [] } })), { ...facts, seen });
  });
});

describe("reportMarkdown", () => {
  it("writes facts and tables, and escapes the service's text", () => {
    const text = reportMarkdown(compatibilityReport(facts, t));
    assert.match(text, /^# Compatibility of Acme\n/);
    assert.match(text, /^- Model: service-core$/m);
    const row = text.split("\n").find((line) => line.startsWith("| Tool use |"));
    assert.equal(
      row,
      String.raw`| Tool use | no: Refused. “a\|b \*bold\*” · status 400 · req\_7 | yes: Called it |`,
    );
    const columns = text.split("\n").find((line) => line.startsWith("| Feature"));
    assert.equal(columns, "| Feature | chat-completions | messages |");
  });
});
