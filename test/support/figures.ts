import { appendFileSync } from "node:fs";

/** Names the file that gathers the figures of a run of the whole suite of faults. */
export const figuresVariable = "INFERENCE_CHAT_FIGURES";

/** Tells what a test has counted, in one line, which the suite of faults shows once more at its end. */
export function tellFigure(line: string): void {
  console.log(`\n  = ${line}\n`);
  const file = process.env[figuresVariable];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

/** A size as it is meant in the suite of faults; where the test runs among all others, a smaller one. */
export function sized(whole: number, otherwise: number): number {
  return process.env[figuresVariable] === undefined ? otherwise : whole;
}
