import { type ClientStyle, clientStyles } from "../../src/protocol/wireStyle.ts";
import {
  atMost,
  type BenchRow,
  type BenchSize,
  type Figure,
  type Goal,
  growingAmounts,
  withGrowth,
} from "./benchRow.ts";
import { measureContenders, type Rounds, shortRuns } from "./contenders.ts";

/** Row 1: recorded streams to the deltas of their text, beside the official clients and JSON.parse alone. */
export async function benchDecode(size: BenchSize): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const style of clientStyles)
    for (const kind of kinds) rows.push(...(await benchStyle(style, kind, size)));
  return rows;
}

/** Events that differ in their text alone, and such as differ in another member too. */
const kinds = ["alike", "padded"] as const;
type Kind = (typeof kinds)[number];

/** The official client of a style, how much of its time ours may take, and whether its service is known to pad. */
const peers = {
  "chat-completions": { name: "openai", share: 1 / 3, isPadded: true },
  messages: { name: "anthropic", share: 1 / 2, isPadded: false },
} as const;
const limit = "JSON.parse";

async function benchStyle(style: ClientStyle, kind: Kind, size: BenchSize): Promise<readonly BenchRow[]> {
  const { name: peer } = peers[style];
  const counts = growingAmounts(20_000, size);
  const most = counts.at(-1) ?? 0;
  const module = new URL("decodeContender.ts", import.meta.url);
  const rows: BenchRow[] = [];
  for (const events of counts) {
    // As many events in each run: one stream of a few is over before it could be timed.
    const values = [style, String(events), kind, String(Math.round(most / events))];
    const rounds = await measureContenders(module, ["ours", peer, limit], size.runs * shortRuns, values);
    const figure = (name: string): Figure => ({
      name,
      value: rounds.median(name, "microseconds"),
      unit: "µs CPU per event",
    });
    rows.push({
      what: `decode ${events} events, ${style}${kind === "padded" ? ", each with another padding" : ""}`,
      ours: [figure("ours")],
      peers: [figure(peer)],
      limits: [figure(limit)],
      goals: events === most ? goalsOf(style, kind, rounds) : [],
    });
  }
  return withGrowth(rows);
}

function goalsOf(style: ClientStyle, kind: Kind, rounds: Rounds): readonly Goal[] {
  const { name, share, isPadded } = peers[style];
  if (kind === "padded" && !isPadded) return [];
  const ratio = (other: string): number => rounds.ratio("ours", other, "microseconds");
  return [atMost(`times ${limit}`, ratio(limit), 1.6), atMost(`of the ${name} client`, ratio(name), share)];
}
