import { atLeast, atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const [ours, ourClient, limit, ...peers] = [
  "our transport",
  "our client, to text",
  "undici.request",
  "Node's fetch",
  "openai, to text",
] as const;

/** Row 2: a streamed answer of 5 MB from loopback. */
export async function benchTransport({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  return withStreamServer(Math.round(20_000 * scale), async (origin) => {
    const module = new URL("transportContender.ts", import.meta.url);
    const names = [ours, ourClient, limit, ...peers];
    const rounds = await measureContenders(module, names, runs * shortRuns, [origin, "5"]);
    const figures = (name: string): readonly Figure[] => [
      { name, value: rounds.median(name, "firstByte"), unit: "ms to first byte" },
      { name, value: rounds.median(name, "whole"), unit: "ms" },
    ];
    return [
      {
        what: `transport of ${Math.round(5_000 * scale)} KB`,
        ours: [...figures(ours), ...figures(ourClient)],
        peers: peers.flatMap(figures),
        limits: figures(limit),
        goals: [
          atMost("times undici.request to first byte", rounds.ratio(ours, limit, "firstByte"), 1.15),
          atLeast("of its throughput", rounds.ratio(limit, ours, "whole"), 0.85),
        ],
      },
    ];
  });
}
