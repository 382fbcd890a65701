import assert from "node:assert/strict";
import { causes } from "../../../../src/client/failure/cause.ts";
import { causeTable } from "../../../../src/connection/diagnosis/causeTable.ts";
import { buildCheckReport, type CheckProgress } from "../../../../src/connection/check/checkReport.ts";
import { type CheckStep, checkStepIds } from "../../../../src/connection/check/checkSteps.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import type { Report } from "../../../../src/connection/report/report.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { failed as failedWith } from "../../../support/failed.ts";

const t = createTranslate();
const passed = (id: CheckStep["id"]): CheckStep => ({ id, ok: true, ms: 1 });
const skipped = (id: CheckStep["id"]): CheckStep => ({ id, ok: false, skipped: true, ms: 0 });

function report(more: Partial<CheckProgress>): Report {
  return buildCheckReport(
    {
      connection: "Acme",
      clientStyle: "messages",
      model: "service-core",
      at: new Date("2026-01-02T03:04:05Z"),
      billable: true,
      steps: [],
      state: { kind: "running" },
      ...more,
    },
    t,
  );
}

/** The result of each step as `state text`. */
function results({ blocks }: Report): readonly string[] {
  const table = blocks.find((block) => block.kind === "table");
  assert.ok(table !== undefined);
  for (const row of table.rows) assert.equal(row.length, table.columns.length);
  return table.rows.map(([, cell]) => `${cell?.state} ${cell?.text}`);
}

describe("buildCheckReport", () => {
  it("doesn't call a key verified only because of a model list", () => {
    const steps = [...checkStepIds.slice(0, 4).map(passed), ...checkStepIds.slice(4).map(skipped)];
    const { summary, actions } = report({
      billable: false,
      steps,
      state: { kind: "done", canChat: false, ok: false },
    });
    assert.equal(summary.state, "neutral");
    assert.match(summary.text, /^Key not verified/);
    assert.equal(actions[0]?.id, "run-billable");
  });

  it("shows finished, running, and waiting steps", () => {
    const steps = [passed("address"), passed("key")];
    const running = report({ steps, state: { kind: "running", step: "network" } });
    assert.deepEqual(results(running), [
      "good Passed",
      "good Passed",
      "running Running",
      "skipped Waiting",
      "skipped Waiting",
      "skipped Waiting",
    ]);
    assert.deepEqual(
      running.actions.map(({ id }) => id),
      ["stop"],
    );
    assert.equal(results(report({ steps, state: { kind: "stopped" } })).at(-1), "skipped Stopped");
  });

  it("begins with the failure, and offers only once to run again", () => {
    const failure = { kind: "refused", status: 401, error: {}, bodyKind: "empty" } as const;
    const diagnosis = diagnose(failedWith(failure), {}, t);
    const failed: CheckStep = { id: "models", ok: false, ms: 1, status: 401, cause: diagnosis.cause };
    const steps = [...checkStepIds.slice(0, 3).map(passed), failed, ...checkStepIds.slice(4).map(skipped)];
    const { blocks, summary, actions } = report({
      steps,
      state: { kind: "done", canChat: false, ok: false, diagnosis },
    });
    const [first] = blocks;
    assert.ok(first?.kind === "diagnosis");
    const ids = [...first.diagnosis.actions, ...actions].map(({ id }) => id);
    assert.deepEqual(ids, [
      "set-api-key",
      "edit-connection",
      "learn-more",
      "run-again",
      "copy-support-report",
      "copy-json",
    ]);
    assert.equal(summary.state, "bad");
    assert.ok(summary.text.includes(causeTable[diagnosis.cause].name(t)), summary.text);
  });

  it("warns of a certificate that expires soon", () => {
    const tls = {
      subject: "a",
      issuer: "b",
      validTo: "2026-01-04T00:00:00Z",
      daysLeft: 1,
      matchesHost: true,
    };
    const steps = checkStepIds.map((id) =>
      id === "network" ? { ...passed(id), network: { transport: "undici" as const, tls } } : passed(id),
    );
    const { blocks } = report({ steps, state: { kind: "done", canChat: true, ok: true } });
    assert.ok(blocks.some((block) => block.kind === "note" && /expires on 2026-01-04/.test(block.text)));
    assert.equal(
      results(report({ steps, state: { kind: "done", canChat: true, ok: true } }))[2],
      "good Passed with warnings",
    );
  });

  it("has a unique name for each cause", () => {
    const names = causes.map((cause) => causeTable[cause].name(t));
    assert.equal(new Set(names).size, causes.length);
  });

  it("states that you can chat if the service has no model list", () => {
    const steps = [
      { id: "models", ok: false, ms: 1, cause: "wrong-path" },
      { id: "completion", ok: true, ms: 1 },
    ] as const;
    const state = { kind: "done", canChat: true, ok: false } as const;
    const { summary, blocks } = report({ steps, state });
    assert.deepEqual(summary, { state: "good", text: "You can chat. The service provides no model list." });
    assert.ok(blocks.every(({ kind }) => kind !== "diagnosis"));
  });
});
