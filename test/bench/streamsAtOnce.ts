import { atLeast, atMost, type BenchResult, type BenchSize } from "./benchRow.ts";
import { measureContenders } from "./contenders.ts";
import { withStreamServer } from "./withServer.ts";

const many = 50;
/** The contenders: all streams at once, one after the other, and all at once as bytes. */
const [together, inTurn, bare] = [String(many), "1", "bare"] as const;

/**
 * Row 12: 50 streams at once, compared with the same 50 in sequence, which run at the machine's best speed. A
 * stream's share is its own speed divided by the mean. Server and system make speeds uneven too: the `bare`
 * contender shows how much.
 */
export async function benchStreamsAtOnce({ runs, scale }: BenchSize): Promise<BenchResult> {
  const events = 20_000 * scale;
  const rounds = await withStreamServer(events, (origin) => {
    const module = new URL("streamsContender.ts", import.meta.url);
    return measureContenders(module, [together, inTurn, bare], runs, [origin, String(many), String(events)]);
  });
  const ratio = rounds.ratio(together, inTurn, "perToken");
  const slowest = rounds.figure(together, "slowestShare", "share");
  return {
    lines: [
      {
        what: `${many} streams at once`,
        ours: rounds.figure(together, "perToken", "µs/token"),
        limit: { ...rounds.figure(inTurn, "perToken", "µs/token"), name: "in turn" },
        ratio,
        goal: atMost(ratio, 1.25),
      },
      {
        what: `slowest of ${many} streams`,
        ours: slowest,
        limit: { ...rounds.figure(bare, "slowestShare", "share"), name: "as bytes" },
        ratio: rounds.ratio(together, bare, "slowestShare"),
        goal: atLeast(slowest.value, 0.8, "share"),
      },
    ],
    figures: [],
  };
}
