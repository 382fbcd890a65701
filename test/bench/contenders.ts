import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as v from "valibot";
import type { NamedFigure } from "./benchRow.ts";
import { median } from "./statistics.ts";

/** Measured values of one run, by name. */
export type Run = Readonly<Record<string, number>>;

/** The runs of each contender, round by round. */
export class Rounds {
  readonly #runs: ReadonlyMap<string, readonly Run[]>;

  constructor(runs: ReadonlyMap<string, readonly Run[]>) {
    this.#runs = runs;
  }

  /** Returns the median, or NaN if nothing was measured. */
  figure(name: string, measured: string, unit: string): NamedFigure {
    return { name, value: median(this.#of(name, measured)), unit };
  }

  /**
   * Returns the median of the ratios of each round. The machine's speed changes from second to second. Within one
   * round, that affects both contenders alike; their separate medians may come from different speeds.
   */
  ratio(name: string, other: string, figure: string): number {
    const others = this.#of(other, figure);
    return median(this.#of(name, figure).map((value, round) => value / (others[round] ?? Number.NaN)));
  }

  #of(name: string, figure: string): readonly number[] {
    return (this.#runs.get(name) ?? []).map((run) => run[figure] ?? Number.NaN);
  }
}

/** Factor for the number of runs if a run takes only milliseconds: the machine's noise is then as large as a run. */
export const shortRuns = 5;

/** Runs before measuring, in which the engine compiles the code that runs often. */
const warmUps = 4;

const runSchema = v.record(v.string(), v.number());

/**
 * Measures each contender in its own process, after a warm-up. Contenders take turns run by run, so that other
 * load affects all of them alike. The order changes each round: a contender changes caches and the server for the
 * next one.
 * @param starts how often to start new processes, because the engine optimizes each process differently
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

/** Each contender comes first once in forward order, then once in reverse order. */
function orderOf(round: number, count: number): readonly number[] {
  const first = round % count;
  const order = Array.from({ length: count }, (_, index) => (first + index) % count);
  return Math.floor(round / count) % 2 === 0 ? order : order.toReversed();
}

interface Contender {
  readonly child: ChildProcess;
  /** Rejects when the process ends, after an error or because it was killed. */
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

/** Runs in a contender's process: measures whenever the bench asks. */
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
  if (contender === undefined) throw new Error("Unknown contender");
  const answered = once(contender.child, "message");
  contender.child.send("run");
  const [run] = await Promise.race([answered, contender.ended]);
  return v.parse(runSchema, run);
}
