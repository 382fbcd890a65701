import { runEndToEnd } from "./e2eRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Records what the extension stores after a day of use, for the test of storage from earlier versions. */
export function runStorageRecording(): Promise<StageResult> {
  return runEndToEnd(undefined, { editors: 1, pattern: "test/e2e/recordStorage.ts" });
}
