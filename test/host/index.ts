// Entry of the tests inside the extension host: VS Code calls `run` and waits for its promise.
import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { claimFiles } from "../support/claimFiles.ts";
import { tellFigure } from "../support/figures.ts";
import { readHostRun } from "../support/hostRunPlan.ts";
import { runMocha } from "../support/mochaRun.ts";
import { CalledHosts } from "../support/calledHosts.ts";

export async function run(): Promise<void> {
  const { files, claims, ...plan } = readHostRun(process.env);
  const called = new CalledHosts();
  const result = await runMocha({
    ...plan,
    // No code in the host may connect to other machines, in the extension or outside it.
    afterAll: () => assert.deepEqual(called.foreign, []),
    batches: claimFiles(files, claims),
    timeout: 60_000,
    report: (line) => appendFileSync(plan.reportFile, `${line}\n`),
  });
  // Without a call, the record shows nothing. A part of the tests may make none.
  if (plan.grep === undefined && result.passed > 0 && !called.all.includes("127.0.0.1"))
    writeFileSync(plan.resultFile, JSON.stringify({ ...result, failures: ["no call was seen"] }));
  tellFigure(
    `hosts called from the editor's extension host: ${called.all.toSorted().join(", ")}; ${called.foreign.length} beyond this machine`,
  );
}
