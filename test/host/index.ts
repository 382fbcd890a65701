// Entry of the tests inside the extension host: VS Code calls `run` and waits for its promise.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { CalledHosts } from "./calledHosts.ts";
import { tellFigure } from "../support/figures.ts";
import { runMocha } from "../support/mochaRun.ts";
import { readHostRun } from "../support/hostRunPlan.ts";

export async function run(): Promise<void> {
  const plan = readHostRun(process.env);
  const called = new CalledHosts();
  await runMocha({
    ...plan,
    // No code in the host may connect to other machines, in the extension or outside it.
    afterAll: () => {
      assert.deepEqual(called.foreign, []);
      assert.ok(plan.grep !== undefined || called.all.includes("127.0.0.1"), "no call was seen");
      tellFigure(
        `hosts called from the editor's extension host: ${called.all.toSorted().join(", ")}; 0 beyond this machine`,
      );
    },
    batches: [plan.files],
    timeout: 60_000,
    report: (line) => appendFileSync(plan.reportFile, `${line}\n`),
  });
}
