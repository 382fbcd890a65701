import { floorCodeServer, newestCodeServer } from "./codeServer.ts";
import { runHost } from "./hostRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** Runs the tests of test/host in the oldest editor that package.json allows, and in the newest. */
export async function runEditors(grep?: string): Promise<StageResult> {
  const results: StageResult[] = [];
  for (const release of [floorCodeServer, newestCodeServer]) {
    console.log(`\nVS Code ${release.editor}`);
    const { passed, failures } = await runHost({ grep, release, hasSoak: true });
    console.log(`VS Code ${release.editor}: ${passed} passed, ${failures.length} failed`);
    results.push({ passed, failures: failures.map((failure) => `VS Code ${release.editor}: ${failure}`) });
  }
  return addResults(results);
}
