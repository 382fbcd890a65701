import { atMost, type BenchResult, type BenchSize } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";
import { withServer } from "./withServer.ts";

/** Checks in one run, since one is over in a few milliseconds. */
const repeats = 20;
const [check, bare] = ["our check", "bare"] as const;

/** Row 11: the whole connection check, beside the same requests made bare, one after the other. */
export async function benchCheck({ runs, scale }: BenchSize): Promise<BenchResult> {
  const rounds = await withServer(new URL("referenceServer.ts", import.meta.url), [], (origin) => {
    const module = new URL("checkContender.ts", import.meta.url);
    const values = [origin, String(Math.max(1, Math.round(repeats * scale)))];
    // Started anew, the same code differs by a tenth either way, which is as much as the goal leaves.
    return measureContenders(module, [check, bare], runs * shortRuns, values, runs);
  });
  const ratio = rounds.ratio(check, bare, "milliseconds");
  const line = {
    what: "connection check",
    ours: rounds.figure(check, "milliseconds", "ms"),
    limit: rounds.figure(bare, "milliseconds", "ms"),
    ratio,
    goal: atMost(ratio, 1.2),
  };
  return { lines: [line], figures: [] };
}
