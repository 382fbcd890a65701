// Entry of the tests inside the extension host: VS Code calls `run` and waits for its promise.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { claimFiles } from "../support/claimFiles.ts";
import { tellFigure } from "../support/figures.ts";
import { readHostRun } from "../support/hostRunPlan.ts";
import { runMocha } from "../support/mochaRun.ts";
import { CalledHosts } from "./calledHosts.ts";

export async function run(): Promise<void> {
  const { files, claims, ...plan } = readHostRun(process.env);
  const called = new CalledHosts();
  await runMocha({
    ...plan,
    // No code in the host may connect to other machines, in the extension or outside it.
    afterAll: () => assert.deepEqual(called.foreign, []),
    batches: claimFiles(files, claims),
    timeout: 60_000,
    report: (line) => appendFileSync(plan.reportFile, `${line}\n`),
  });
  tellFigure(
    `hosts called from the editor's extension host: ${called.all.toSorted().join(", ")}; 0 beyond this machine`,
  );
}
