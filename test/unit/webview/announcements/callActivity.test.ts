import assert from "node:assert/strict";
import { readToolArguments } from "../../../../src/protocol/conversation/toolCalls.ts";
import type { AnswerCall, CallOutcome } from "../../../../src/chat/transcript/steps.ts";
import type { AnswerState } from "../../../../src/chat/transcript/transcript.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { activityText, callText } from "../../../../src/webview/announcements/callTexts.ts";

const t = createTranslate();

const textOf = (name: string, given: object, state: AnswerCall["state"]): string =>
  callText({ id: "1", name, arguments: readToolArguments(JSON.stringify(given)), state }, t);
const ended = (outcome: CallOutcome): AnswerCall["state"] => ({
  kind: "settled",
  result: { outcome, text: "", facts: { firstLine: 1, lastLine: 2, count: 2 } },
});

describe("the line of a call", () => {
  const lines: readonly (readonly [
    name: string,
    given: object,
    activity: string,
    fact: string,
    title: string,
  ])[] = [
    ["read_file", { path: "a.ts" }, "Reading 'a.ts'...", "Read 'a.ts', lines 1-2", "Reading 'a.ts'"],
    ["search_text", { query: "x" }, "Searching for 'x'...", "Searched for 'x': 2 lines", "Searching for 'x'"],
    [
      "find_files",
      { pattern: "*.ts" },
      "Finding files '*.ts'...",
      "Found 2 files for '*.ts'",
      "Finding files '*.ts'",
    ],
    ["list_folder", {}, "Listing '.'...", "Listed '.': 2 entries", "Listing '.'"],
    ["get_problems", {}, "Getting problems...", "Found 2 problems", "Getting problems"],
    ["get_changes", {}, "Getting changes...", "Read the changes of 2 files", "Getting changes"],
    [
      "ask_user",
      { question: "Which one?" },
      "Asking you: Which one?",
      "Asked you: Which one?",
      "Asking you 'Which one?'",
    ],
    ["other", {}, "Calling 'other'...", "Called 'other'", "Calling 'other'"],
  ];
  for (const [name, given, activity, fact, title] of lines) {
    it(`of ${name} says that it waits, then its activity, and then a fact`, () => {
      const request = { type: "question", question: "Which one?", options: [] } as const;
      const waiting = name === "ask_user" ? activity : `Waiting for you: ${title}`;
      assert.equal(textOf(name, given, { kind: "pending" }), `Next: ${title}`);
      assert.equal(textOf(name, given, { kind: "asking", request }), waiting);
      assert.equal(textOf(name, given, { kind: "running" }), activity);
      assert.equal(textOf(name, given, ended("done")), fact);
      assert.equal(textOf(name, given, ended("failed")), `Failed: ${title}`);
      assert.equal(textOf(name, given, ended("denied")), `Denied: ${title}`);
    });
  }

  it("says of an interrupted command that it might still be running", () => {
    assert.equal(
      textOf("run_command", { command: "npm start" }, ended("interrupted")),
      "Interrupted: Running 'npm start'. The command might still be running.",
    );
    assert.equal(textOf("read_file", { path: "a.ts" }, ended("interrupted")), "Interrupted: Reading 'a.ts'");
  });

  it("uses different words for an activity, a fact, and behind an outcome", () => {
    for (const [, , ...texts] of lines) assert.equal(new Set(texts).size, texts.length);
  });

  it("names the argument by its other names, on one line, with invisible characters shown", () => {
    assert.equal(
      textOf("read_file", { filePath: "a\n b\u202E.ts" }, { kind: "running" }),
      "Reading 'a b[U+202E].ts'...",
    );
  });
});

const reading = (kind: "pending" | "running"): AnswerCall => ({
  id: "1",
  name: "read_file",
  arguments: readToolArguments({ path: "a.ts" }),
  state: { kind },
});
const activity = (state: AnswerState, ...calls: readonly AnswerCall[]): string =>
  activityText({ state, steps: [{ textEnd: 0, reasoningEnd: 0, outline: [], calls }] }, t);

describe("the activity of an answer with tools", () => {
  it("is the call that runs", () => {
    const done = { ...reading("pending"), state: ended("done") };
    assert.equal(
      activity({ kind: "working" }, done, reading("running"), reading("pending")),
      "Reading 'a.ts'...",
    );
  });

  it("is to wait for the model if no call runs", () => {
    assert.equal(
      activity({ kind: "working" }, { ...reading("pending"), state: ended("done") }),
      "Waiting for the model...",
    );
    assert.equal(activity({ kind: "waiting" }), "Waiting for the model...");
  });

  it("is to wait for the user if a call asks or the answer is paused", () => {
    const request = { type: "question", question: "Which?", options: [] } as const;
    const asking: AnswerCall = { ...reading("running"), state: { kind: "asking", request } };
    assert.equal(activity({ kind: "working" }, asking), "Waiting for you");
    assert.equal(activity({ kind: "paused", reason: { type: "failures", count: 3 } }), "Waiting for you");
  });

  it("is to receive the answer while text arrives", () => {
    assert.equal(activity({ kind: "streaming" }, reading("pending")), "Receiving the answer...");
  });
});
