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
    const medians = await measureContenders(module, names, runs * shortRuns, [origin, "5"]);
    const figures = (name: string): readonly [first: Figure, whole: Figure] => {
      const { firstByte = Number.NaN, whole = Number.NaN } = medians[name] ?? {};
      return [
        { name, value: firstByte, unit: "ms to first byte" },
        { name, value: whole, unit: "ms" },
      ];
    };
    const [first, whole] = figures(ours);
    const [bareFirst, bareWhole] = figures(limit);
    return [
      {
        what: `transport of ${Math.round(5_000 * scale)} KB`,
        ours: [first, whole, ...figures(ourClient)],
        others: [bareFirst, bareWhole, ...peers.flatMap(figures)],
        goals: [
          atMost("times undici.request to first byte", first.value / bareFirst.value, 1.15),
          atLeast("of its throughput", bareWhole.value / whole.value, 0.85),
        ],
      },
    ];
  });
}
