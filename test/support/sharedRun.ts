import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { outputFolder } from "./paths.ts";
import { runPlain, type PlainRunOptions } from "./plainRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

export interface SharedRunOptions extends Omit<PlainRunOptions, "mark" | "claims" | "environment"> {
  /** Number of processes at once. */
  readonly processes: number;
  /** Returns the environment variables of each process; `folder` is removed after the run. */
  readonly environmentOf?: (part: number, folder: string) => Promise<Readonly<Record<string, string>>>;
}

/** Runs tests in several processes; each takes the next file that no other process has taken. */
export async function runShared(
  name: string,
  { processes, environmentOf, ...options }: SharedRunOptions,
): Promise<StageResult> {
  await mkdir(outputFolder, { recursive: true });
  const claims = await mkdtemp(path.join(outputFolder, "claims-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(claims, { recursive: true }) };
  const run = async (part: number): Promise<StageResult> =>
    runPlain(`${name}-${part}`, {
      ...options,
      mark: `${part}| `,
      claims,
      environment: (await environmentOf?.(part, claims)) ?? {},
    });
  return await runParts(processes, run);
}

/** Runs the parts of a stage at once, each with its number from 1. Rejects after the last part if one rejects. */
export async function runParts(
  count: number,
  run: (part: number) => Promise<StageResult>,
): Promise<StageResult> {
  const runs = await Promise.allSettled(Array.from({ length: count }, (_, index) => run(index + 1)));
  const broken = runs.find((each) => each.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return addResults(runs.filter((each) => each.status === "fulfilled").map(({ value }) => value));
}
