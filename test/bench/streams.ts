import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describeWindow } from "../support/workbench/describeWindow.ts";
import { type LongestTasks, recordTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import { markOf, nowInEpoch, type PaintProbe } from "./paintProbe.ts";

/** Where answers are asked for and shown: our chat, or another one that has the same service. */
export interface StreamDesk {
  /** The window that shows them. */
  readonly page: Page;
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

/** What one answer that came as fast as it could cost the main threads that draw it. */
export interface StreamCost {
  /** Milliseconds of their processor time. */
  readonly cpu: number;
  readonly longest: LongestTasks;
}

export async function measureStream(
  desk: StreamDesk,
  thread: MainThread,
  answer: string,
): Promise<StreamCost> {
  await desk.prepare(answer);
  await thread.becomesStill();
  const stop = await recordTasks(desk.page);
  const before = await thread.time();
  await desk.ask();
  await desk.answerEnded();
  await thread.becomesStill();
  const cpu = (await thread.time()) - before;
  return { cpu, longest: await stop() };
}

/** Milliseconds from the server's write of each token until it was painted; so many, so many milliseconds apart. */
export async function measurePacedStream(
  desk: StreamDesk,
  probe: PaintProbe,
  { count, pace }: { readonly count: number; readonly pace: number },
): Promise<readonly number[]> {
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
  return delays;
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
