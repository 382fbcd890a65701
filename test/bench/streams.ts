import { setTimeout as wait } from "node:timers/promises";
import type { ChatDesk } from "./chatDesk.ts";
import { recordTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import { markOf, nowInEpoch, type PaintProbe } from "./paintProbe.ts";

/** One answer that came as fast as it could. */
export interface StreamCost {
  /** Milliseconds of the main thread's processor time. */
  readonly cpu: number;
  /** Milliseconds from the question until nothing was left to draw. */
  readonly wall: number;
  /** Of the longest task, its processor time and its duration. */
  readonly longest: number;
  readonly longestWall: number;
  /** Megabytes, when garbage was collected. */
  readonly heap: number;
}

export async function measureStream(desk: ChatDesk, thread: MainThread, answer: string): Promise<StreamCost> {
  await desk.prepare(answer);
  await thread.becomesStill();
  const stop = await recordTasks(desk.page);
  const before = await thread.time();
  const start = performance.now();
  await desk.ask();
  await desk.answerEnded();
  await thread.becomesStill();
  const after = await thread.time();
  const wall = performance.now() - start;
  const { cpu: longest, wall: longestWall } = await stop();
  return { cpu: after.cpu - before.cpu, wall, longest, longestWall, heap: await thread.heap() };
}

export interface PacedStream {
  /** Milliseconds from the server's write of each token until it was painted. */
  readonly delays: readonly number[];
  readonly tokensPerSecond: number;
}

/** Tokens 10 ms apart, for so many seconds. */
export async function measurePacedStream(
  desk: ChatDesk,
  probe: PaintProbe,
  seconds: number,
): Promise<PacedStream> {
  const count = seconds * 100;
  const written: number[] = [];
  const answer = Array.from({ length: count }, (_, at) => markOf(at) + (at % 40 === 39 ? "\n\n" : " "));
  await desk.prepare(answer.join(""), () => written.push(nowInEpoch()));
  await probe.takePainted();
  desk.service.pace = 10;
  await desk.ask();
  await desk.answerEnded();
  desk.service.pace = 0;
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
  desk: ChatDesk,
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
