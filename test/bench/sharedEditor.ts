import type { BenchSize } from "./benchRow.ts";
import { ProbedEditor } from "./probedEditor.ts";

let opened: Promise<ProbedEditor> | undefined;

/** Of the model in the probe's memory, and of the answer that is measured beside it. */
export function partsOfAnswer({ scale }: BenchSize): number {
  return Math.round(20_000 * scale);
}

/** One editor for all rows that need one, opened by the first of them. */
export function sharedEditor(size: BenchSize): Promise<ProbedEditor> {
  return (opened ??= ProbedEditor.open(partsOfAnswer(size)));
}

/** To be called when the last row was measured. */
export async function closeSharedEditor(): Promise<void> {
  const editor = await opened?.catch(() => undefined);
  await editor?.[Symbol.asyncDispose]();
}
