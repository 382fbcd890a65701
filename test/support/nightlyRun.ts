import { runEndToEnd } from "./e2eRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** Another editor would disturb the measurements of this test. */
const alone = "test/nightly/typingBesideChats.test.ts";
const others = "test/nightly/!(typingBesideChats).test.ts";

/** Runs the long end-to-end tests: crashes, kills, thousands of chats, several windows and the bench. */
export async function runNightly(grep?: string): Promise<StageResult> {
  return addResults([
    await runEndToEnd(grep, { pattern: others }),
    await runEndToEnd(grep, { pattern: alone, editors: 1 }),
  ]);
}
