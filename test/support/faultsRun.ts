import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { runEndToEnd } from "./e2eRun.ts";
import { figuresVariable } from "./figures.ts";
import { runHost } from "./hostRun.ts";
import { outputFolder, projectRoot } from "./paths.ts";
import { runPage } from "./pageRun.ts";
import { runPlain } from "./plainRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** Other tests that belong to the suite, by their files; in the suite they run at full size. */
const ofHost = [
  "actingFiles",
  "apiKeyStore",
  "changedAmidAnswer",
  "changesInPlace",
  "extensionApi",
  "historyCommands",
  "languageModels",
  "pageAttachments",
  "promptFiles",
  "silentSecrets",
  "soak",
  "strangersCommands",
  "transportsAndStyles",
].map((name) => `test/host/${name}.test.ts`);
const ofEditor = [
  "e2e/attaching",
  "e2e/check",
  "e2e/editorChat",
  "e2e/engagements",
  "e2e/exposedKeys",
  "e2e/history",
  "e2e/hostileAnswers",
  "e2e/inPlace",
  "e2e/mainJob",
  "nightly/badInput",
  "nightly/changedConnection",
  "nightly/commitMessage",
  "nightly/compatibility",
  "nightly/connectionEditing",
  "nightly/crashes",
  "nightly/editorTransport",
  "nightly/gettingStarted",
  "nightly/historyOfWorkspaces",
  "nightly/hostKills",
  "nightly/keyLife",
  "nightly/leftErrors",
  "nightly/promptsAndInstructions",
  "nightly/reading",
  "nightly/windows",
  "nightly/withoutEditorChat",
].map((name) => `test/${name}.test.ts`);
const ofPage = ["hostileAnswers", "hostileCorpus", "typingInFlood"].map(
  (name) => `test/page/${name}.test.ts`,
);
/** The unit tests that cover something no larger test covers. */
const ofUnit =
  "test/unit/{build/supplyChain,files/actingFiles,chat/code/shellCommand,chat/history/conversationCrash,client/key/keyLeaks,corpus/wireCases,threatModel,webview/markdown/linkTarget}.test.ts";
/** Other editors would disturb the measurements of these tests. */
const alone = ["test/nightly/typingBesideChats.test.ts"];

/**
 * Runs the long tests of faults on the wire, on the machine and in the package. The unit tests cover a part of each.
 * With `grep`, runs only the matching tests of test/faults.
 */
export async function runFaults(grep?: string): Promise<StageResult> {
  const figures = path.join(outputFolder, "figures.txt");
  await rm(figures, { force: true });
  process.env[figuresVariable] = figures;
  const results = [
    await runPlain("faults", {
      pattern: "test/faults/**/*.test.ts",
      timeout: 60_000,
      limit: 45 * 60_000,
      grep,
    }),
  ];
  if (grep === undefined) {
    results.push(await runPlain("faults-unit", { pattern: ofUnit, timeout: 60_000, limit: 5 * 60_000 }));
    results.push(await runHost({ grep: await patternOf(ofHost), hasSoak: true }));
    results.push(await runPage(await patternOf(ofPage)));
    const files = "test/{e2e,nightly}/**/*.test.ts";
    results.push(await runEndToEnd(await patternOf(ofEditor), { pattern: files, limitMinutes: 120 }));
    results.push(await runEndToEnd(await patternOf(alone), { pattern: files, editors: 1 }));
  }
  console.log("\nFigures");
  for (const line of (await readFile(figures, "utf8").catch(() => "")).split("\n")) {
    if (line !== "") console.log(`  ${line}`);
  }
  return addResults(results);
}

/**
 * Returns a pattern that matches the suites of these files and no others.
 * @throws Error if a file is missing or has no suite: the pattern would leave it out silently
 */
async function patternOf(files: readonly string[]): Promise<string> {
  const titles = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(projectRoot, file), "utf8");
      const found = Array.from(text.matchAll(/^ {0,2}describe\("([^"]+)"/gm), ([, title = ""]) => title);
      if (found.length === 0) throw new Error(`${file} has no suite.`);
      return found;
    }),
  );
  return `^(${titles
    .flat()
    .map((title) => RegExp.escape(title))
    .join("|")}) `;
}
