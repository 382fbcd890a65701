import { type BenchSize, growingAmounts } from "./benchRow.ts";
import { ProbedEditor } from "./probedEditor.ts";

let opened: Promise<ProbedEditor> | undefined;

/** Of the answers of the models in the probe's memory, and of those that are measured beside them. */
export function partsOfAnswers(size: BenchSize): readonly number[] {
  return growingAmounts(20_000, size);
}

/** One editor for all rows that need one, opened by the first of them. */
export function sharedEditor(size: BenchSize): Promise<ProbedEditor> {
  return (opened ??= ProbedEditor.open(partsOfAnswers(size)));
}

/** To be called when the last row was measured, or where one has failed: the next opens another. */
export async function closeSharedEditor(): Promise<void> {
  const editor = await opened?.catch(() => undefined);
  opened = undefined;
  await editor?.[Symbol.asyncDispose]();
}
