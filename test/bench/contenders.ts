import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as v from "valibot";
import type { NamedFigure } from "./benchRow.ts";
import { median } from "./statistics.ts";

/** Figures of one run, by name. */
export type Run = Readonly<Record<string, number>>;

/** What each contender needed, round by round. */
export class Rounds {
  readonly #runs: ReadonlyMap<string, readonly Run[]>;

  constructor(runs: ReadonlyMap<string, readonly Run[]>) {
    this.#runs = runs;
  }

  /** The median; NaN if it was not measured. */
  figure(name: string, measured: string, unit: string): NamedFigure {
    return { name, value: median(this.#of(name, measured)), unit };
  }

  /**
   * The median of the ratios of each round. A machine's speed changes from second to second, and that falls on
   * both of a round alike; on their medians it falls as chance will have it.
   */
  ratio(name: string, other: string, figure: string): number {
    const others = this.#of(other, figure);
    return median(this.#of(name, figure).map((value, round) => value / (others[round] ?? Number.NaN)));
  }

  #of(name: string, figure: string): readonly number[] {
    return (this.#runs.get(name) ?? []).map((run) => run[figure] ?? Number.NaN);
  }
}

/** Of what takes milliseconds so many times more runs are made: the machine's own unrest is as large as they are. */
export const shortRuns = 5;

/** Until the engine has compiled what runs often, a run tells of the compiler. */
const warmUps = 4;

const runSchema = v.record(v.string(), v.number());

/**
 * Measures each contender in a process of its own, all of them warm, one run of each after the other, so
 * that what the machine does meanwhile falls on all alike. Each round goes another way through them: what one
 * leaves behind in caches, and in the server, is not always found by the same one.
 * @param starts how often processes are started anew: the engine does not make the same of each of them
 */
export async function measureContenders(
  module: URL,
  names: readonly string[],
  runs: number,
  values: readonly string[],
  starts = 1,
): Promise<Rounds> {
  const samples = new Map(names.map((name): [string, Run[]] => [name, []]));
  for (let count = 0; count < starts; count += 1) {
    const processes = names.map((name) => start(module, [name, ...values]));
    try {
      await takeTurns(processes, runs, (index, run) => samples.get(names[index] ?? "")?.push(run));
    } finally {
      for (const { child } of processes) child.kill();
    }
  }
  return new Rounds(samples);
}

async function takeTurns(
  processes: readonly Contender[],
  runs: number,
  onRun: (index: number, run: Run) => void,
): Promise<void> {
  for (let round = -warmUps; round < runs; round += 1) {
    for (const index of orderOf(round + warmUps, processes.length)) {
      const run = await ask(processes[index]);
      if (round >= 0) onRun(index, run);
    }
  }
}

/** From each of them once, forth, and then from each of them back. */
function orderOf(round: number, count: number): readonly number[] {
  const first = round % count;
  const order = Array.from({ length: count }, (_, index) => (first + index) % count);
  return Math.floor(round / count) % 2 === 0 ? order : order.toReversed();
}

interface Contender {
  readonly child: ChildProcess;
  /** Rejects when the process ends, which it does not before it is told to. */
  readonly ended: Promise<never>;
}

function start(module: URL, values: readonly string[]): Contender {
  const child = fork(module, values);
  const ended = once(child, "exit").then((): never => {
    throw new Error(`${values.join(" ")} ended before it was measured`);
  });
  ended.catch(() => undefined);
  return { child, ended };
}

/** In a contender's process: measures whenever it is asked. */
export function serveRuns(measure: () => Promise<Run>): void {
  process.on("message", () => {
    measure().then(
      (run) => process.send?.(run),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

async function ask(contender: Contender | undefined): Promise<Run> {
  if (contender === undefined) throw new Error("No such contender");
  const answered = once(contender.child, "message");
  contender.child.send("run");
  const [run] = await Promise.race([answered, contender.ended]);
  return v.parse(runSchema, run);
}
