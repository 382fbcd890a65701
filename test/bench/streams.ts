import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describeWindow } from "../support/workbench/describeWindow.ts";
import { type LongestTasks, recordTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import { markOf, nowInEpoch, type PaintProbe } from "./paintProbe.ts";

/** A chat that shows answers: ours, or another one with the same service. */
export interface StreamDesk {
  /** The window that shows the answers. */
  readonly page: Page;
  /**
   * Begins a new chat, and sets the answer to its next question. Calls `onPiece` with each piece when it is
   * written.
   */
  prepare(answer: string, onPiece?: (text: string) => void): Promise<void>;
  ask(): Promise<void>;
  /**
   * Resolves when the answer has ended.
   * @throws Error if the answer does not end or is incomplete
   */
  answerEnded(): Promise<void>;
  /** Milliseconds between two tokens of the next answers; 0 for no pause. */
  setPace(milliseconds: number): void;
}

/** Returns the timeout of an answer in milliseconds. */
export function longestAnswer(characters: number, millisecondsPerKilobyte: number): number {
  return 60_000 + (characters / 1_000) * millisecondsPerKilobyte;
}

/**
 * Resolves when the answer has ended.
 * @param most timeout in milliseconds
 * @throws Error that describes the window, if the answer does not end
 */
export async function untilEnded(
  { page }: Pick<StreamDesk, "page">,
  isEnded: () => Promise<boolean>,
  most: number,
): Promise<void> {
  const last = performance.now() + most;
  while (!(await isEnded())) {
    if (performance.now() > last) throw new Error(`The answer does not end.\n${await describeWindow(page)}`);
    await wait(100);
  }
}

/** The cost of one answer at full speed, for the main threads that draw it. */
export interface StreamCost {
  /** Milliseconds of processor time. */
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

/**
 * Streams `count` tokens, `pace` milliseconds apart. Returns the milliseconds from the service's write of each
 * token until its paint.
 */
export async function measurePacedStream(
  desk: StreamDesk,
  probe: PaintProbe,
  { count, pace }: { readonly count: number; readonly pace: number },
): Promise<readonly number[]> {
  const written: number[] = [];
  const answer = Array.from({ length: count }, (_, at) => markOf(at) + (at % 40 === 39 ? "\n\n" : " "));
  // VS Code's own chat may send further requests; the pieces of their answers do not count.
  const isOurs = (piece: string): boolean => piece.startsWith(markOf(written.length));
  await desk.prepare(answer.join(""), (piece) => void (isOurs(piece) && written.push(nowInEpoch())));
  await probe.takePainted();
  desk.setPace(pace);
  await desk.ask();
  await desk.answerEnded();
  desk.setPace(0);
  if (written.length !== count) throw new Error(`Only ${written.length} of ${count} writes were reported.`);
  const painted = await probe.takePainted();
  const delays: number[] = [];
  let next = 0;
  for (const { index, at } of painted) {
    for (; next <= index; next += 1) delays.push(at - (written[next] ?? at));
  }
  if (delays.length < count * 0.95) throw new Error(`Only ${delays.length} of ${count} tokens were painted.`);
  return delays;
}

/** Types while a long answer streams at full speed. Returns the milliseconds from each key to its frame. */
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
