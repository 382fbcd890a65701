import { atLeast, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { measureContenders, type Rounds } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const many = 50;
const atOnce = [10, many];
const [unit, share] = ["perSecond", "slowestShare"] as const;

/**
 * Row 12: fifty streams, all at once, beside the same fifty one after the other, whose speed is what the machine
 * can do. A stream's share is its own speed, from its beginning to its end; the fair one is the mean. How even they
 * are is due to the server and the system too, which the same fifty read as bytes show.
 */
export async function benchStreamsAtOnce({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  const events = Math.round(20_000 * scale);
  return withStreamServer([events], async (origin) => {
    const module = new URL("streamsContender.ts", import.meta.url);
    const names = [...[1, ...atOnce].map(String), "bare"];
    const values = [origin, String(many), String(events)];
    const rounds = await measureContenders(module, names, runs, values);
    return atOnce.map((count) => rowOf(count, rounds));
  });
}

function rowOf(count: number, rounds: Rounds): BenchRow {
  const name = String(count);
  const goals = [atLeast("of the speed of one after the other", rounds.ratio(name, "1", unit), 0.8)];
  // Of fewer than all some are read beside fewer others, at the end.
  const isAll = count === many;
  const isEven = atLeast("of a fair share for the slowest", rounds.median(name, share), 0.8);
  const slowest = (of: string): Figure => ({
    name: "the slowest",
    value: rounds.median(of, share),
    unit: "of a fair share",
  });
  return {
    what: `${many} streams, ${count} at once`,
    ours: [
      { name: "all of them", value: rounds.median(name, unit), unit: "tokens/s" },
      ...(isAll ? [slowest(name)] : []),
    ],
    peers: [],
    limits: [
      { name: "one after the other", value: rounds.median("1", unit), unit: "tokens/s" },
      ...(isAll ? [{ ...slowest("bare"), name: "bare undici.request, the slowest" }] : []),
    ],
    goals: isAll ? [...goals, isEven] : goals,
  };
}
