import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";
import { withServer } from "./withServer.ts";

/** Checks in one run, since one is over in a few milliseconds. */
const repeats = 20;

/** Row 11: the whole connection check, beside the same requests made bare, one after the other. */
export async function benchCheck({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  return withServer(new URL("referenceServer.ts", import.meta.url), [], async (origin) => {
    const module = new URL("checkContender.ts", import.meta.url);
    const count = Math.max(1, Math.round(repeats * scale));
    const names = ["our check", "undici.request"] as const;
    // Started anew, the same code differs by a tenth either way, which is as much as the goal leaves.
    const rounds = await measureContenders(module, names, runs * shortRuns, [origin, String(count)], runs);
    const figures = names.map((name): Figure => ({
      name,
      value: rounds.median(name, "milliseconds"),
      unit: "ms",
    }));
    const ratio = rounds.ratio(...names, "milliseconds");
    return [
      {
        what: "connection check, all steps",
        ours: figures.slice(0, 1),
        peers: [],
        limits: figures.slice(1),
        goals: [atMost("times the same requests bare", ratio, 1.2)],
      },
    ];
  });
}
