import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import type { ScriptPart, ScriptStep } from "../service/script.ts";
import { askByKeyboard, beginChatIn, pressInLastTurn } from "./chatByKeyboard.ts";
import type { Editor } from "./endToEnd.ts";
import { drawnText, partsOf } from "./workbench/parts.ts";
import type { TestService } from "./withService.ts";

/** A whole task in Plan mode, in the sample workspace with `writeFailingTest`. */
export interface PlanTask {
  readonly title: string;
  readonly question: string;
  /** The model's requests. Each step expects what the real tools found. */
  readonly script: readonly ScriptStep[];
  /** The suggestion to select in the card, if the model asks. */
  readonly choice?: string;
  /** The lines of the calls, in order. */
  readonly lines: readonly string[];
  /** The last text. */
  readonly answer: string;
}

/** Settings for models whose use of tools is known. */
export const planSettings = {
  "inference.chat.modelCapabilities": { "service-core": { toolCalling: true } },
};

const failingTest = `import assert from "node:assert/strict";
import { average } from "./summary.ts";

assert.equal(average([]), 0);
`;

/** Adds a test that fails, because the average of no readings is no number. */
export async function writeFailingTest(workspace: string): Promise<void> {
  await writeFile(path.join(workspace, "summary.test.ts"), failingTest);
}

export const call = (name: string, given: Record<string, unknown>): ScriptPart => ({
  call: name,
  arguments: given,
});

const tools = [
  "ask_user",
  "find_files",
  "get_changes",
  "get_problems",
  "list_folder",
  "read_file",
  "search_text",
];

export const explainModule: PlanTask = {
  title: "explains a module",
  question: "What does summary.ts do?",
  script: [
    {
      expect: { tools, system: "You are in Plan mode", user: "What does summary.ts do?" },
      send: [{ text: "I look around first." }, call("list_folder", {})],
    },
    {
      expect: { results: ["readings.csv\nsummary.test.ts\nsummary.ts"] },
      send: [
        call("read_file", { path: "summary.ts" }),
        call("read_file", { path: "readings.csv", endLine: 2 }),
        call("search_text", { query: "summary", includePattern: "*.md" }),
      ],
    },
    {
      expect: {
        results: [
          "19\texport function average",
          "2\tharbour,11.5\n(Lines 3-4 are not shown.",
          "README.md:3: ",
        ],
      },
      send: [{ text: "It reads temperatures from `readings.csv` and prints their average." }],
    },
  ],
  lines: [
    "Listed '.': 5 entries",
    "Read 'summary.ts', lines 1-24",
    "Read 'readings.csv', lines 1-2",
    "Searched for 'summary': 1 line",
  ],
  answer: "It reads temperatures from readings.csv and prints their average.",
};

export const findCause: PlanTask = {
  title: "finds the cause of a failing test",
  question: "Why does summary.test.ts fail?",
  script: [
    {
      expect: { tools, system: "You are in Plan mode", user: "Why does summary.test.ts fail?" },
      send: [{ text: "I look for the test." }, call("find_files", { pattern: "**/*.test.ts" })],
    },
    {
      expect: { results: ["summary.test.ts"] },
      send: [
        call("read_file", { path: "summary.test.ts" }),
        call("search_text", { query: "function average" }),
      ],
    },
    {
      expect: { results: ["4\tassert.equal(average([]), 0);", "summary.ts:19: export function average"] },
      send: [call("read_file", { path: "summary.ts", startLine: 19, endLine: 21 })],
    },
    {
      expect: { results: ["20\t  return readings.reduce("] },
      send: [
        call("ask_user", { question: "What is the average of no readings?", options: ["0", "No value"] }),
      ],
    },
    {
      expect: { results: ["No value"] },
      send: [{ text: "`average` divides by 0 if there are no readings. The test must expect no value." }],
    },
  ],
  choice: "No value",
  lines: [
    "Found 1 file for '**/*.test.ts'",
    "Read 'summary.test.ts', lines 1-4",
    "Searched for 'function average': 1 line",
    "Read 'summary.ts', lines 19-21",
    "Asked you: What is the average of no readings?",
  ],
  answer: "average divides by 0 if there are no readings. The test must expect no value.",
};

/** Plays a task by keyboard alone, and checks what the service received and what the user sees. */
export async function playTask(
  editor: Editor,
  service: TestService,
  { question, script, choice, lines, answer: text }: PlanTask,
): Promise<Locator> {
  const { chat } = partsOf(editor);
  await beginChatIn(editor, "Plan");
  service.journal.clear();
  service.script.add(script);
  await askByKeyboard(editor, question);
  const answer = chat.turns("Assistant").first();
  if (choice !== undefined) {
    await chat.frame.getByRole("group", { name: "Question" }).waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    await pressInLastTurn(editor, `button ${choice}`);
  }
  await answer.getByRole("button", { name: "Retry" }).waitFor();
  assert.equal(service.script.left, 0, await answer.innerText());
  assert.equal(service.journal.answers.length, script.length);
  assert.ok((await drawnText(answer)).includes(text), await answer.innerText());
  assert.deepEqual(await answer.locator(".tool-call summary").allInnerTexts(), lines);
  await chat.frame.locator("textarea:focus").waitFor();
  return answer;
}
