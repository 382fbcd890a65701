import {
  atMost,
  type BenchLine,
  type BenchResult,
  type BenchSize,
  formatNumber,
  type NamedFigure,
} from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const [ours, peer, limit] = ["our transport", "Node's fetch", "undici.request"] as const;
const eventsPerKilobyte = 4;

/** Row 2: a streamed answer of 5 MB from loopback, as bytes. */
export async function benchTransport({ runs, scale }: BenchSize): Promise<BenchResult> {
  const kilobytes = 5_000 * scale;
  const events = kilobytes * eventsPerKilobyte;
  const module = new URL("transportContender.ts", import.meta.url);
  const rounds = await withStreamServer(events, (origin) =>
    measureContenders(module, [ours, peer, limit], runs * shortRuns, [origin, "5", String(events)]),
  );
  const line = (what: string, figure: "firstByte" | "whole", most: number): BenchLine => {
    const named = (name: string): NamedFigure => rounds.figure(name, figure, "ms");
    return {
      what: `${formatNumber(kilobytes)} KB, ${what}`,
      ours: named(ours),
      peer: named(peer),
      limit: { ...named(limit), name: "undici" },
      ratio: rounds.ratio(ours, peer, figure),
      goal: atMost(rounds.ratio(ours, limit, figure), most, "x limit"),
    };
  };
  return { lines: [line("first byte", "firstByte", 1.15), line("all bytes", "whole", 1.18)], figures: [] };
}
