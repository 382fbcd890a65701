import {
  atLeast,
  atMost,
  type BenchRow,
  type BenchSize,
  type Figure,
  type Goal,
  growingAmounts,
  withGrowth,
} from "./benchRow.ts";
import { measureContenders, type Rounds, shortRuns } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const [ours, ourClient, limit, fetched, openai] = [
  "our transport",
  "our client, to text",
  "undici.request",
  "Node's fetch",
  "openai, to text",
] as const;

/** Events of the whole answer, and how many of them are a KB. */
const [mostEvents, eventsPerKilobyte] = [20_000, 4];

/** Row 2: streamed answers of up to 5 MB from loopback. */
export async function benchTransport(size: BenchSize): Promise<readonly BenchRow[]> {
  const counts = growingAmounts(mostEvents, size);
  const module = new URL("transportContender.ts", import.meta.url);
  const names = [ours, ourClient, limit, fetched, openai];
  const rows: BenchRow[] = [];
  for (const events of counts) {
    const rounds = await withStreamServer([events], (origin) =>
      measureContenders(module, names, size.runs * shortRuns, [origin, "5", String(events)]),
    );
    rows.push(rowOf(events / eventsPerKilobyte, rounds, events === counts.at(-1)));
  }
  return withGrowth(rows);
}

function rowOf(kilobytes: number, rounds: Rounds, isWhole: boolean): BenchRow {
  const figures = (name: string, beside = name): readonly Figure[] => [
    {
      name: `${name}, first byte`,
      value: rounds.median(name, "firstByte"),
      unit: "ms",
      beside: `${beside}, first byte`,
    },
    { name, value: (rounds.median(name, "whole") * 1_000) / kilobytes, unit: "µs per KB", beside },
  ];
  return {
    what: `transport of ${Math.round(kilobytes)} KB`,
    ours: [...figures(ours), ...figures(ourClient)],
    peers: [...figures(fetched, ours), ...figures(openai, ourClient)],
    limits: figures(limit),
    goals: isWhole ? goalsOf(rounds) : [],
  };
}

function goalsOf(rounds: Rounds): readonly Goal[] {
  return [
    atMost("times undici.request to first byte", rounds.ratio(ours, limit, "firstByte"), 1.15),
    atLeast("of its throughput", rounds.ratio(limit, ours, "whole"), 0.85),
  ];
}
