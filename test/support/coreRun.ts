import { runEndToEnd } from "./e2eRun.ts";
import { findFiles } from "./findFiles.ts";
import type { StageResult } from "./stageResult.ts";

/** What is tried end to end at every push: files of test/e2e, by what each group shows. */
const core = [
  // Setting up, asking and reading, over both transports and in both styles.
  ["firstFiveMinutes", "mainJob", "editorTransport"],
  // The key is safe.
  ["keyLife", "exposedKeys", "engagements", "hostileAnswers"],
  // A failure is understood.
  ["check", "badInput"],
  // It can be used by everyone.
  ["everyoneLooks"],
].flat();

/**
 * The end-to-end tests that every push waits for, in a third of the time of all of them.
 * @throws Error where a name is no file's, since its tests would be left out silently
 */
export async function runCore(grep?: string): Promise<StageResult> {
  const pattern = `test/e2e/{${core.join(",")}}.test.ts`;
  const files = await findFiles(pattern);
  if (files.length !== core.length) throw new Error(`Of ${core.length} files there are ${files.length}.`);
  const all = await findFiles("test/e2e/**/*.test.ts");
  console.log(`${files.length} of ${all.length} files; all of them run with npm test.`);
  return await runEndToEnd(grep, { pattern });
}
