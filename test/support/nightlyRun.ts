import { runEndToEnd } from "./e2eRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** Another editor would disturb the measurements of this test. */
const alone = "test/nightly/typingBesideChats.test.ts";
const others = "test/nightly/!(typingBesideChats).test.ts";

/** Runs the long end-to-end tests: rare paths, crashes, kills, thousands of chats, several windows. Also the bench. */
export async function runNightly(grep?: string): Promise<StageResult> {
  if (grep !== undefined) return await runEndToEnd(grep, { pattern: "test/nightly/*.test.ts", editors: 1 });
  return addResults([
    await runEndToEnd(undefined, { pattern: others }),
    await runEndToEnd(undefined, { pattern: alone, editors: 1 }),
  ]);
}
