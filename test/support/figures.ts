import { appendFileSync } from "node:fs";

/** Environment variable with the file that collects the figures of the whole suite of faults. */
export const figuresVariable = "INFERENCE_CHAT_FIGURES";

/** Prints a figure of a test in one line. The suite of faults prints all figures again at its end. */
export function tellFigure(line: string): void {
  console.log(`\n  = ${line}\n`);
  const file = process.env[figuresVariable];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

/** Returns `whole` in the suite of faults; otherwise the smaller size. */
export function sized(whole: number, otherwise: number): number {
  return process.env[figuresVariable] === undefined ? otherwise : whole;
}
