import { atMost, type BenchResult, type BenchSize, milliseconds } from "./benchRow.ts";
import type { ChatDesk } from "./chatDesk.ts";
import { EditorChatDesk, placeInEditorChat } from "./editorChatDesk.ts";
import { PaintProbe } from "./paintProbe.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median, percentile } from "./statistics.ts";
import { measurePacedStream, measureTyping, type StreamDesk } from "./streams.ts";

const pace = 20;
/** Two frames at 60 Hz, in milliseconds. */
const twoFrames = 1_000 / 30;

/** In milliseconds. */
interface Delays {
  readonly p50: number;
  readonly p95: number;
}

/**
 * Row 3: from the service's write of a token until its paint, in our chat and in VS Code's own. Also from a key to the
 * next frame, while an answer streams.
 */
export async function benchPainted({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = Math.max(20, 200 * scale);
  const editor = await sharedEditor();
  const desk = await editor.openChat();
  const ours = await measureDelays(desk, await PaintProbe.in(desk.frame), count, runs);
  const keys = await measureKeys(desk, createSampleAnswer(300_000 * scale), runs);
  await using other = await EditorChatDesk.open(editor);
  const theirs = await measureDelays(other, await PaintProbe.in(other.page, placeInEditorChat), count, runs);
  return {
    lines: [
      {
        what: "token to paint, p95",
        ours: milliseconds(ours.p95),
        peer: { name: "editor's chat", ...milliseconds(theirs.p95) },
        ratio: ours.p95 / theirs.p95,
        goal: atMost(ours.p95, twoFrames, "ms"),
      },
      {
        what: "key to paint in flood, p95",
        ours: milliseconds(keys.p95),
        goal: atMost(keys.p95, twoFrames, "ms"),
      },
    ],
    figures: [
      { name: "token to paint, p50", ...milliseconds(ours.p50) },
      { name: "token to paint in the editor's own chat, p50", ...milliseconds(theirs.p50) },
      { name: "key to paint in a flood, p50", ...milliseconds(keys.p50) },
    ],
  };
}

async function measureDelays(
  desk: StreamDesk,
  placed: PaintProbe,
  count: number,
  runs: number,
): Promise<Delays> {
  await using probe = placed;
  return await mediansOf(runs, () => measurePacedStream(desk, probe, { count, pace }));
}

async function measureKeys(desk: ChatDesk, answer: string, runs: number): Promise<Delays> {
  await using probe = await PaintProbe.in(desk.frame);
  return await mediansOf(runs, () => measureTyping(desk, probe, answer));
}

async function mediansOf(runs: number, measure: () => Promise<readonly number[]>): Promise<Delays> {
  const all: (readonly number[])[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await measure());
  const of = (percent: number): number => median(all.map((each) => percentile(each, percent)));
  return { p50: of(50), p95: of(95) };
}
