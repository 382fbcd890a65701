import { runEndToEnd } from "./e2eRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** What is measured there must not be disturbed by another editor. */
const alone = "test/nightly/typingBesideChats.test.ts";
const others = "test/nightly/!(typingBesideChats).test.ts";

/** Runs the end-to-end tests that take long: crashes, kills, thousands of chats, several windows and the bench. */
export async function runNightly(grep?: string): Promise<StageResult> {
  return addResults([
    await runEndToEnd(grep, { pattern: others }),
    await runEndToEnd(grep, { pattern: alone, editors: 1 }),
  ]);
}
