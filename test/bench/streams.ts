import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describeWindow } from "../support/workbench/describeWindow.ts";
import type { DrawnPlace } from "./changeProbe.ts";
import type { MainThread } from "./mainThread.ts";
import { type Drawing, measureDrawing } from "./pageWork.ts";
import { markOf, nowInEpoch, type PaintProbe } from "./paintProbe.ts";

/** Where answers are asked for and shown: our chat, or another one that has the same service. */
export interface StreamDesk {
  /** The window that shows them. */
  readonly page: Page;
  /** Where the answers are drawn. */
  readonly place: DrawnPlace;
  /** Begins a new chat, whose next question is answered by this text; hears of each piece as it is written. */
  prepare(answer: string, onPiece?: (text: string) => void): Promise<void>;
  ask(): Promise<void>;
  /**
   * Resolves once the answer has ended.
   * @throws Error where it does not end, or is not the whole answer
   */
  answerEnded(): Promise<void>;
  /** Milliseconds between two tokens of the next answers; 0 for none. */
  setPace(milliseconds: number): void;
}

/** Milliseconds after which an answer of so many characters is taken for one that never ends. */
export function longestAnswer(characters: number, millisecondsPerKilobyte: number): number {
  return 60_000 + (characters / 1_000) * millisecondsPerKilobyte;
}

/**
 * @param most milliseconds
 * @throws Error that tells what the window shows, where the answer does not end
 */
export async function untilEnded(
  { page }: Pick<StreamDesk, "page">,
  isEnded: () => Promise<boolean>,
  most: number,
): Promise<void> {
  const last = performance.now() + most;
  while (!(await isEnded())) {
    if (performance.now() > last) throw new Error(`An answer does not end.\n${await describeWindow(page)}`);
    await wait(100);
  }
}

/** One answer that came as fast as it could, from the question until all of it was painted. */
export interface StreamCost extends Drawing {
  /** Megabytes, when garbage was collected. */
  readonly heap: number;
}

export async function measureStream(
  desk: StreamDesk,
  thread: MainThread,
  answer: string,
): Promise<StreamCost> {
  await desk.prepare(answer);
  const drawing = await measureDrawing(desk.page, thread, desk.place, async () => {
    await desk.ask();
    await desk.answerEnded();
  });
  return { ...drawing, heap: await thread.heap() };
}

export interface PacedStream {
  /** Milliseconds from the server's write of each token until it was painted. */
  readonly delays: readonly number[];
  readonly tokensPerSecond: number;
}

/** So many tokens, so many milliseconds apart. */
export async function measurePacedStream(
  desk: StreamDesk,
  probe: PaintProbe,
  { count, pace }: { readonly count: number; readonly pace: number },
): Promise<PacedStream> {
  const written: number[] = [];
  const answer = Array.from({ length: count }, (_, at) => markOf(at) + (at % 40 === 39 ? "\n\n" : " "));
  // The editor's own chat may ask for more than the answer.
  const isOurs = (piece: string): boolean => piece.startsWith(markOf(written.length));
  await desk.prepare(answer.join(""), (piece) => void (isOurs(piece) && written.push(nowInEpoch())));
  await probe.takePainted();
  desk.setPace(pace);
  await desk.ask();
  await desk.answerEnded();
  desk.setPace(0);
  if (written.length !== count) throw new Error(`Only ${written.length} of ${count} writes were heard.`);
  const painted = await probe.takePainted();
  const delays: number[] = [];
  let next = 0;
  for (const { index, at } of painted) {
    for (; next <= index; next += 1) delays.push(at - (written[next] ?? at));
  }
  if (delays.length < count * 0.95) throw new Error(`Only ${delays.length} of ${count} tokens were seen.`);
  const took = (written.at(-1) ?? 0) - (written[0] ?? 0);
  return { delays, tokensPerSecond: ((count - 1) / took) * 1000 };
}

/** Milliseconds from each key to its frame, typed while a long answer comes as fast as it can. */
export async function measureTyping(
  desk: StreamDesk & { focusComposer(): Promise<void> },
  probe: PaintProbe,
  answer: string,
): Promise<readonly number[]> {
  await desk.prepare(answer);
  await desk.ask();
  await desk.focusComposer();
  await wait(200);
  await probe.takeKeys();
  for (let count = 0; count < 30; count += 1) {
    await desk.page.keyboard.press("x");
    await wait(60);
  }
  const keys = await probe.takeKeys();
  await desk.answerEnded();
  return keys;
}
