import { atMost, type BenchResult, type BenchSize } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";
import { withServer } from "./withServer.ts";

/** Checks per run: one check takes only a few milliseconds. */
const repeats = 20;
const [check, bare] = ["our check", "bare"] as const;

/**
 * Row 11: the whole connection check, compared with the same bare requests in sequence. The goal is in milliseconds,
 * since all requests together take only two of them over loopback.
 */
export async function benchCheck({ runs, scale }: BenchSize): Promise<BenchResult> {
  const rounds = await withServer(new URL("referenceServer.ts", import.meta.url), [], (origin) => {
    const module = new URL("checkContender.ts", import.meta.url);
    const values = [origin, String(Math.max(1, Math.round(repeats * scale)))];
    // Starts new processes several times: between processes, the speed of the same code varies by 10% either way. That
    // is the whole margin of the goal.
    return measureContenders(module, [check, bare], runs * shortRuns, values, runs);
  });
  const ratio = rounds.ratio(check, bare, "milliseconds");
  const ours = rounds.figure(check, "milliseconds", "ms");
  const limit = rounds.figure(bare, "milliseconds", "ms");
  const goal = atMost(ours.value - limit.value, 5, "ms");
  const line = { what: "connection check", ours, limit, ratio, goal };
  return { lines: [line], figures: [] };
}
