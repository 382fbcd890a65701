// Entry of the tests inside the extension host: the editor calls `run` and reports its end.
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
    // Neither the extension nor anything else in the host tells anybody of what is done.
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
