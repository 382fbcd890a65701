import { atLeast, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { measureContenders } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const many = 50;

/** Row 12: fifty streams at once beside one alone, whose speed is what the machine can do. */
export async function benchStreamsAtOnce({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  return withStreamServer(Math.round(20_000 * scale), async (origin) => {
    const module = new URL("streamsContender.ts", import.meta.url);
    const rounds = await measureContenders(module, ["1", String(many)], runs, [origin]);
    const figure = (name: string, key: string, unit: string): Figure => ({
      name: `${name} at once`,
      value: rounds.median(name, key),
      unit,
    });
    const all = figure(String(many), "tokensPerSecond", "tokens/s in all");
    const slowest = figure(String(many), "slowestPerSecond", "tokens/s, the slowest stream");
    const one = figure("1", "tokensPerSecond", "tokens/s");
    return [
      {
        what: `${many} streams at once`,
        ours: [all, slowest],
        others: [one],
        goals: [
          atLeast("of one stream's speed in all", all.value / one.value, 0.8),
          atLeast("of a fair share for the slowest", slowest.value / (one.value / many), 0.8),
        ],
      },
    ];
  });
}
