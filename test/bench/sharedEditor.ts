import { ProbedEditor } from "./probedEditor.ts";

let opened: Promise<ProbedEditor> | undefined;

/** One editor for all rows that need one, opened by the first of them. */
export function sharedEditor(): Promise<ProbedEditor> {
  return (opened ??= ProbedEditor.open());
}

/** To be called when the last row was measured, or where one has failed: the next opens another. */
export async function closeSharedEditor(): Promise<void> {
  const editor = await opened?.catch(() => undefined);
  opened = undefined;
  await editor?.[Symbol.asyncDispose]();
}
