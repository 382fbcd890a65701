import { type ClientStyle, clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { atMost, type BenchLine, type BenchResult, type BenchSize, type NamedFigure } from "./benchRow.ts";
import { measureContenders, shortRuns } from "./contenders.ts";

/** The official client of each style. */
const clients = { "chat-completions": "openai", messages: "anthropic" } as const;
const limit = "JSON.parse";
/**
 * Parts of the official client's time. In the Messages style, `TextDecoder`, `eventsource-parser` and `JSON.parse`
 * alone take 0.45 of it, so there is less to win.
 */
const goals = { "chat-completions": 0.5, messages: 0.75 } as const;
const mostEvents = 20_000;

/** Row 1: decodes generated streams to text deltas, compared with the official clients and with JSON.parse alone. */
export async function benchDecode(size: BenchSize): Promise<BenchResult> {
  const lines: BenchLine[] = [];
  for (const style of clientStyles) lines.push(await benchStyle(style, size));
  return { lines, figures: [{ name: "events", value: mostEvents * size.scale, unit: "" }] };
}

async function benchStyle(style: ClientStyle, { runs, scale }: BenchSize): Promise<BenchLine> {
  const peer = clients[style];
  const events = mostEvents * scale;
  const module = new URL("decodeContender.ts", import.meta.url);
  const names = ["ours", peer, limit];
  const rounds = await measureContenders(module, names, runs * shortRuns, [style, String(events)]);
  const figure = (name: string): NamedFigure => rounds.figure(name, "microseconds", "µs/event");
  const ratio = rounds.ratio("ours", peer, "microseconds");
  return {
    what: `decode ${style}`,
    ours: figure("ours"),
    peer: figure(peer),
    limit: figure(limit),
    ratio,
    goal: atMost(ratio, goals[style]),
  };
}
