import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import type { ChatDesk } from "./chatDesk.ts";
import { EditorChatDesk, placeInEditorChat } from "./editorChatDesk.ts";
import { PaintProbe } from "./paintProbe.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median, percentile } from "./statistics.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { measurePacedStream, measureTyping, type StreamDesk } from "./streams.ts";

const pace = 20;
/** Milliseconds of two frames. */
const twoFrames = 1_000 / 30;

/** Milliseconds from the service's write until the text was painted. */
interface Delays {
  readonly p50: number;
  readonly p95: number;
}

/** Row 3: someone watches an answer arrive, here and in the editor's own chat. */
export async function benchPainted(size: BenchSize): Promise<readonly BenchRow[]> {
  const { runs } = size;
  const count = Math.max(20, 200 * size.scale);
  const editor = await sharedEditor(size);
  const desk = await editor.openChat();
  const ours = await measureDelays(desk, await PaintProbe.in(desk.frame), count, runs);
  const key = await measureKeys(desk, 300_000 * size.scale, runs);
  await using other = await EditorChatDesk.open(editor);
  const theirs = await measureDelays(other, await PaintProbe.in(other.page, placeInEditorChat), count, runs);
  return [
    {
      what: `from the service's write to the painted text, ${count} tokens ${pace} ms apart`,
      ours: figuresOf("ours", ours),
      peers: figuresOf("the editor's own chat", theirs),
      limits: [],
      goals: [
        atMost("ms, p95,", ours.p95, twoFrames),
        atMost("ms, p95, from a key to its paint while an answer floods in,", key, twoFrames),
        atMost("of the editor's own chat, p95,", ours.p95 / theirs.p95, 0.1),
      ],
    },
  ];
}

/** The probe looks no more behind it. */
async function measureDelays(
  desk: StreamDesk,
  placed: PaintProbe,
  count: number,
  runs: number,
): Promise<Delays> {
  await using probe = placed;
  const all: (readonly number[])[] = [];
  for (let run = 0; run < runs; run += 1) {
    all.push((await measurePacedStream(desk, probe, { count, pace })).delays);
  }
  const of = (percent: number): number => median(all.map((delays) => percentile(delays, percent)));
  return { p50: of(50), p95: of(95) };
}

/** Milliseconds from a key to its paint, p95, while an answer of so many characters comes as fast as it can. */
async function measureKeys(desk: ChatDesk, length: number, runs: number): Promise<number> {
  await using probe = await PaintProbe.in(desk.frame);
  const all: number[] = [];
  for (let run = 0; run < runs; run += 1)
    all.push(percentile(await measureTyping(desk, probe, createSampleAnswer(length)), 95));
  return median(all);
}

function figuresOf(name: string, { p50, p95 }: Delays): readonly Figure[] {
  return [
    { name: `${name} p50`, value: p50, unit: "ms", beside: "ours p50" },
    { name: `${name} p95`, value: p95, unit: "ms", beside: "ours p95" },
  ];
}
