import { type ClientStyle, clientStyles } from "../../src/protocol/wireStyle.ts";
import { atMost, type BenchRow, type BenchSize, type Figure, type Goal } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";

/** Row 1: recorded streams to the deltas of their text, beside the official clients and JSON.parse alone. */
export async function benchDecode({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  const events = Math.round(20_000 * scale);
  const rows: BenchRow[] = [];
  for (const style of clientStyles)
    for (const kind of kinds) rows.push(await benchStyle(style, { kind, events, runs }));
  return rows;
}

/** Events that differ in their text alone, and such as differ in another member too. */
const kinds = ["alike", "padded"] as const;

interface DecodeRun {
  readonly kind: (typeof kinds)[number];
  readonly events: number;
  readonly runs: number;
}

/** The official client of a style, how much of its time ours may take, and whether its service is known to pad. */
const peers = {
  "chat-completions": { name: "openai", share: 1 / 3, isPadded: true },
  messages: { name: "anthropic", share: 1 / 2, isPadded: false },
} as const;

async function benchStyle(style: ClientStyle, { kind, events, runs }: DecodeRun): Promise<BenchRow> {
  const peer = peers[style];
  const names = ["ours", peer.name, "JSON.parse"];
  const module = new URL("decodeContender.ts", import.meta.url);
  const rounds = await measureContenders(module, names, runs * shortRuns, [style, String(events), kind]);
  const figure = (name: string): Figure => ({
    name,
    value: rounds.median(name, "milliseconds"),
    unit: "ms CPU",
  });
  const ratio = (other: string): number => rounds.ratio("ours", other, "milliseconds");
  const goals: readonly Goal[] =
    kind === "padded" && !peer.isPadded
      ? []
      : [
          atMost("times JSON.parse", ratio("JSON.parse"), 1.6),
          atMost(`of the ${peer.name} client`, ratio(peer.name), peer.share),
        ];
  return {
    what: `decode ${events} events, ${style}${kind === "padded" ? ", each with another padding" : ""}`,
    ours: [figure("ours")],
    peers: [figure(peer.name)],
    limits: [figure("JSON.parse")],
    goals,
  };
}
