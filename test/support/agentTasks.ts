import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CallReply } from "../../src/chat/transcript/steps.ts";
import type { ScriptPart, ScriptStep } from "../service/script.ts";

/** A card that a task shows, and the user's reply. */
export interface TaskCard {
  /** The path of the file to edit, or the command to run. */
  readonly subject: string;
  readonly reply: Extract<CallReply, { type: "allow" | "deny" }>;
  /** The card says that other tools run what the file says. */
  readonly isActing?: boolean;
}

/** Contents by paths relative to the workspace. */
type Files = Readonly<Record<string, string>>;

/** A whole task in Agent mode, in a folder of its own. */
export interface AgentTask {
  readonly title: string;
  /** Relative to the workspace. */
  readonly folder: string;
  readonly before: Files;
  readonly question: string;
  /** The model's requests. Each step expects what the real tools returned. */
  readonly script: readonly ScriptStep[];
  /** In the order in which they appear. No other call asks. */
  readonly cards: readonly TaskCard[];
  /** The lines of the calls, in order. */
  readonly lines: readonly string[];
  /** The last text. */
  readonly answer: string;
  /** The files that the answer changes. */
  readonly after: Files;
}

/** Settings for models whose use of tools is known. */
export const agentSettings = {
  "inference.chat.modelCapabilities": { "service-core": { toolCalling: true } },
};

const allow = { type: "allow", scope: "call" } as const;
const allowEdits = { type: "allow", scope: "answer" } as const;

const tools = [
  "ask_user",
  "create_file",
  "edit_file",
  "find_files",
  "get_changes",
  "get_problems",
  "list_folder",
  "read_file",
  "read_output",
  "run_command",
  "search_text",
];

const call = (name: string, given: Record<string, unknown>): ScriptPart => ({
  call: name,
  arguments: given,
});

/** The first request of a task. */
function begin(question: string): NonNullable<ScriptStep["expect"]> {
  return { tools, system: "You are in Agent mode", user: question };
}

function averageWith(body: string): string {
  return `export function average(values) {\n${body}}\n`;
}

/** Runs a test that fails, mends the code, and runs the test again. */
function fixTest(folder: string): AgentTask {
  const [code, test] = [`${folder}/average.mjs`, `${folder}/average.test.mjs`];
  const command = `node ${test}`;
  const run = call("run_command", { command, purpose: "Run the test" });
  const question = "Fix the test of the average.";
  const sum = "  return values.reduce((sum, value) => sum + value, 0) / values.length;\n";
  const mended = `  if (values.length === 0) return 0;\n${sum}`;
  return {
    title: "fixes a failing test",
    folder,
    before: {
      [code]: averageWith(sum),
      [test]: [
        'import assert from "node:assert/strict";',
        'import { average } from "./average.mjs";',
        "",
        "assert.equal(average([11, 13]), 12);",
        "assert.equal(average([]), 0);",
        'console.log("2 checks passed");',
        "",
      ].join("\n"),
    },
    question,
    script: [
      { expect: begin(question), send: [{ text: "I run the test first." }, run] },
      {
        expect: { results: ["NaN !== 0"] },
        send: [call("read_file", { path: code }), call("read_file", { path: test, startLine: 4 })],
      },
      {
        expect: { results: ["2\t  return values.reduce(", "5\tassert.equal(average([]), 0);"] },
        send: [call("edit_file", { path: code, oldText: sum, newText: mended })],
      },
      { expect: { results: [`Edited and saved ${code}.`] }, send: [run] },
      {
        expect: { results: ["Exit code: 0\n2 checks passed"] },
        send: [{ text: "The average of no values is 0 now, and the test passes." }],
      },
    ],
    cards: [
      { subject: command, reply: allow },
      { subject: code, reply: allow },
      { subject: command, reply: allow },
    ],
    lines: [
      `Ran '${command}': exit code 1`,
      `Read '${code}', lines 1-3`,
      `Read '${test}', lines 4-6`,
      `Edited '${code}' (+1 −0)`,
      `Ran '${command}': exit code 0`,
    ],
    answer: "The average of no values is 0 now, and the test passes.",
    after: { [code]: averageWith(mended) },
  };
}

/** Renames a function over three files, which have different line ends, and searches for its old name again. */
function renameFunction(folder: string): AgentTask {
  const code = `${folder}/degrees.mjs`;
  const report = `${folder}/report.mjs`;
  const test = `${folder}/degrees.test.mjs`;
  const all = [code, report, test];
  const question = "Rename toF to toFahrenheit.";
  const filesWith = (name: string): Files => ({
    [code]: `export function ${name}(celsius) {\n  return celsius * 1.8 + 32;\n}\n`,
    [report]: `import { ${name} } from "./degrees.mjs";\r\n\r\nconsole.log(\`\${${name}(11.5)} °F\`);\r\n`,
    [test]: `\uFEFFimport { ${name} } from "./degrees.mjs";\n\nif (${name}(0) !== 32) throw new Error("${name}");`,
  });
  const rename = (file: string): ScriptPart =>
    call("edit_file", { path: file, oldText: "toF", newText: "toFahrenheit", replaceAll: true });
  const search = call("search_text", { query: "\\btoF\\b", isRegexp: true, includePattern: `${folder}/**` });
  return {
    title: "renames a function in three files",
    folder,
    before: filesWith("toF"),
    question,
    script: [
      { expect: begin(question), send: [search] },
      {
        expect: { results: [`${code}:1: export function toF(celsius)`] },
        send: all.map((file) => call("read_file", { path: file })),
      },
      {
        expect: {
          results: ["1\texport function toF(", "3\tconsole.log(`${toF(11.5)} °F`);", "3\tif (toF(0)"],
        },
        send: all.map(rename),
      },
      {
        expect: { results: all.map((file) => `Edited and saved ${file}.`) },
        send: [search, call("get_problems", { paths: all })],
      },
      {
        expect: { results: ["No line matches.", "VS Code shows no problems."] },
        send: [{ text: "`toF` is called `toFahrenheit` now." }],
      },
    ],
    cards: [{ subject: code, reply: allowEdits }],
    lines: [
      "Searched for '\\btoF\\b': 5 lines",
      `Read '${code}', lines 1-3`,
      `Read '${report}', lines 1-3`,
      `Read '${test}', lines 1-3`,
      `Edited '${code}' (+1 −1)`,
      `Edited '${report}' (+2 −2)`,
      `Edited '${test}' (+2 −2)`,
      "Searched for '\\btoF\\b': 0 lines",
      "Found 0 problems",
    ],
    answer: "toF is called toFahrenheit now.",
    after: filesWith("toFahrenheit"),
  };
}

function manifestWith(version: string, flag = ""): string {
  return `{\n  "scripts": { "test": "node ${flag}units.test.mjs" },\n  "dependencies": { "measures": "${version}" }\n}\n`;
}

function unitsWith(name: string): string {
  return `export const unit = { ${name}: "°C" };\n`;
}

/** Updates a dependency and runs its test. The user does not let the model install it. */
function updateDependency(folder: string): AgentTask {
  const [manifest, code, test] = [
    `${folder}/package.json`,
    `${folder}/units.mjs`,
    `${folder}/units.test.mjs`,
  ];
  const install = `cd ${folder} && npm install --offline`;
  const command = `node ${test}`;
  const question = "Update measures to version 2, and run its test.";
  return {
    title: "updates a dependency and runs its test, with one denied command",
    folder,
    before: {
      [manifest]: manifestWith("1.4.0"),
      [code]: unitsWith("label"),
      [test]: [
        'import { readFileSync } from "node:fs";',
        'import { unit } from "./units.mjs";',
        "",
        'const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));',
        "console.log(`measures ${dependencies.measures} shows ${unit.symbol}`);",
        'if (unit.symbol !== "°C") process.exit(3);',
        "",
      ].join("\n"),
    },
    question,
    script: [
      {
        expect: begin(question),
        send: [call("read_file", { path: manifest }), call("read_file", { path: code })],
      },
      {
        expect: { results: ['"measures": "1.4.0"', '{ label: "°C" }'] },
        send: [
          call("edit_file", { path: code, oldText: "label", newText: "symbol" }),
          call("edit_file", {
            path: manifest,
            oldText: manifestWith("1.4.0"),
            newText: manifestWith("2.0.0", "--trace-warnings "),
          }),
          call("run_command", { command: install, purpose: "Install version 2" }),
        ],
      },
      {
        expect: {
          results: [
            `Edited and saved ${code}.`,
            `Edited and saved ${manifest}.`,
            "The user denied this call and said: It is installed already.",
          ],
        },
        send: [call("run_command", { command, purpose: "Run the test" })],
      },
      {
        expect: { results: ["Exit code: 0\nmeasures 2.0.0 shows °C"] },
        send: [{ text: "`measures` is at version 2.0.0, and its test passes. I installed nothing." }],
      },
    ],
    cards: [
      { subject: code, reply: allowEdits },
      { subject: manifest, reply: allow, isActing: true },
      { subject: install, reply: { type: "deny", why: "It is installed already." } },
      { subject: command, reply: allow },
    ],
    lines: [
      `Read '${manifest}', lines 1-4`,
      `Read '${code}', lines 1-1`,
      `Edited '${code}' (+1 −1)`,
      `Edited '${manifest}' (+2 −2)`,
      `Denied: Running '${install}'`,
      `Ran '${command}': exit code 0`,
    ],
    answer: "measures is at version 2.0.0, and its test passes. I installed nothing.",
    after: { [manifest]: manifestWith("2.0.0", "--trace-warnings "), [code]: unitsWith("symbol") },
  };
}

export const agentTasks = [fixTest, renameFunction, updateDependency] as const;

/** Writes the files of a task as they are before it. */
export async function writeTask(workspace: string, { folder, before }: AgentTask): Promise<void> {
  await mkdir(path.join(workspace, folder));
  for (const [name, text] of Object.entries(before)) await writeFile(path.join(workspace, name), text);
}

/** Checks the bytes of all files in the task's folder. */
export async function assertFiles(
  workspace: string,
  { folder, before }: AgentTask,
  changed: Files = {},
): Promise<void> {
  const expected = { ...before, ...changed };
  const names = await readdir(path.join(workspace, folder));
  assert.deepEqual(
    names.toSorted(),
    Object.keys(expected)
      .map((name) => path.basename(name))
      .toSorted(),
  );
  for (const [name, text] of Object.entries(expected)) {
    const written = await readFile(path.join(workspace, name));
    // A character a byte, so that a difference can be read.
    assert.equal(written.toString("latin1"), Buffer.from(text).toString("latin1"), name);
  }
}
