// Entry of the tests inside the extension host: the editor calls `run` and reports its end.
import { appendFileSync } from "node:fs";
import { runMocha } from "../support/mochaRun.ts";
import { readHostRun } from "../support/hostRunPlan.ts";

export async function run(): Promise<void> {
  const plan = readHostRun(process.env);
  await runMocha({
    ...plan,
    batches: [plan.files],
    timeout: 60_000,
    report: (line) => appendFileSync(plan.reportFile, `${line}\n`),
  });
}
