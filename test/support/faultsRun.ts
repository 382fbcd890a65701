import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { runEndToEnd } from "./e2eRun.ts";
import { figuresVariable } from "./figures.ts";
import { findFiles } from "./findFiles.ts";
import { runHost } from "./hostRun.ts";
import { outputFolder, projectRoot } from "./paths.ts";
import { runPage } from "./pageRun.ts";
import { runPlain } from "./plainRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** What of the other tests belongs to the suite, by their titles; in it they have their whole sizes. */
const ofHost = [
  "ApiKeyStore over a real secret store",
  "ApiKeyStore over a secret store that fails",
  "chats over a secret store that does not answer",
  "the interface for other extensions, used by one",
  "the commands, run by another extension with hostile arguments",
  "an extension host that answers for long",
  "files that an answer is not to write without a warning",
  "models for other extensions",
];
const ofEditor = [
  "crashes, in a real editor",
  "an extension host that is killed at random moments, in a real editor",
  "errors that another extension leaves uncaught, in a real editor",
  "hostile answers, in a real editor",
  "chats in several windows, in a real editor",
  "a model, key, address and connection that change amid an answer, in a real editor",
  "the main job, in a real editor",
  "the main job over the editor's own connection, in a real editor",
  "a key, from its exposure to its end, in a real editor",
  "the connection check as a page",
  "using the code of an answer, in a real editor",
  "chats of before, in a real editor",
  "two client engagements in three workspaces, in a real editor",
  "all that asks, by both transports, in a real editor",
  "bad input, in a real editor",
  "changes in place, in a real editor",
  "chats that go from one place to another by a file, in a real editor",
  "commit messages, in a real editor",
  "context, in a real editor",
  "editing a connection, in a real editor",
  "getting started, links and the menu, in a real editor",
  "pictures, and what is dragged, pasted and added by menus, in a real editor",
  "prompts and instructions, in a real editor",
  "the editor's own chat, in a real editor",
  "the exposed-key guard, in a real editor",
  "verifying compatibility, in a real editor",
];
const ofPage = ["a corpus of hostile answers", "hostile answers", "typing while an answer floods in"];
/** Of the unit tests, those that show what nothing larger does. */
const ofUnit =
  "test/unit/{build/supplyChain,files/actingFiles,chat/code/shellCommand,client/key/keyLeaks,corpus/wireCases,threatModel,webview/markdown/linkTarget}.test.ts";
/** What it measures is not to be disturbed. */
const alone = ["typing in a file while chats stream, in a real editor"];

/**
 * Runs the long tests of what goes wrong on the wire, at home and in the package; the unit tests have a part of each.
 * With words to choose by, only those of them that need no editor are run.
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
    results.push(await runHost(await patternOf("test/host/**/*.test.ts", ofHost)));
    results.push(await runPage(await patternOf("test/page/**/*.test.ts", ofPage)));
    const files = "test/{e2e,nightly}/**/*.test.ts";
    results.push(await runEndToEnd(await patternOf(files, ofEditor), { pattern: files, limitMinutes: 120 }));
    results.push(await runEndToEnd(await patternOf(files, alone), { pattern: files, editors: 1 }));
  }
  console.log("\nFigures");
  for (const line of (await readFile(figures, "utf8").catch(() => "")).split("\n")) {
    if (line !== "") console.log(`  ${line}`);
  }
  return addResults(results);
}

/**
 * Finds these suites and no others.
 * @throws Error where a title is none of the files': a pattern that finds nothing would leave it out silently
 */
async function patternOf(files: string, titles: readonly string[]): Promise<string> {
  const found = await findFiles(files);
  const texts = await Promise.all(found.map((file) => readFile(path.join(projectRoot, file), "utf8")));
  const missing = titles.filter((title) => !texts.some((text) => text.includes(`describe("${title}"`)));
  if (missing.length > 0) throw new Error(`No tests are called ${missing.join(", ")}.`);
  return `^(${titles.map((title) => RegExp.escape(title)).join("|")}) `;
}
