import { ProbedEditor } from "./probedEditor.ts";

let opened: Promise<ProbedEditor> | undefined;

/** Returns one editor for all rows that need one. The first row opens it. */
export function sharedEditor(): Promise<ProbedEditor> {
  return (opened ??= ProbedEditor.open());
}

/** Closes the editor after the last row, or after a failed one. The next row opens a new editor. */
export async function closeSharedEditor(): Promise<void> {
  const editor = await opened?.catch(() => undefined);
  opened = undefined;
  await editor?.[Symbol.asyncDispose]();
}
