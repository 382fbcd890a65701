import assert from "node:assert/strict";
import type { AnswerCall, CallOutcome, CallRequest } from "../../../../src/chat/transcript/steps.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import {
  callText,
  groupText,
  pauseText,
  requestText,
} from "../../../../src/webview/announcements/callTexts.ts";

const t = createTranslate();
/** Turns the text behind it around on the screen. */
const override = "\u202e";
const zeroWidth = "\u200b";
/** A letter of the tag alphabet, which no font draws. */
const tag = "\u{e0041}";

function callOf(name: string, value: Readonly<Record<string, unknown>>, outcome?: CallOutcome): AnswerCall {
  return {
    id: "call",
    name,
    arguments: { kind: "object", value },
    state: outcome === undefined ? { kind: "running" } : { kind: "settled", result: { outcome, text: "" } },
  };
}

const approval = (reason: Extract<CallRequest, { type: "approval" }>["reason"], rule?: string): string =>
  requestText(
    {
      type: "approval",
      reason,
      path: `src/${override}a${zeroWidth}.ts`,
      ...(rule === undefined ? {} : { rule }),
    },
    t,
  );

describe("the texts of a card", () => {
  const path = "'src/[U+202E]a[U+200B].ts'";

  it("show invisible characters of a path as marks, whatever the card asks", () => {
    assert.equal(approval("outside-workspace"), `${path} is outside this workspace. Let the model read it?`);
    assert.equal(
      approval("sensitive-file"),
      `${path} might contain keys or passwords. Let the model read it?`,
    );
    assert.equal(
      approval("excluded-file", ".gitignore"),
      `${path} is excluded by .gitignore. Let the model read it?`,
    );
  });

  it("show invisible characters of a pattern as marks", () => {
    assert.equal(
      approval("faulty-pattern", `**/${tag}{a`),
      `${path} might match the exclude pattern '**/[U+E0041]{a', which can't be read. Let the model read it?`,
    );
  });

  it("show invisible characters of a question as marks, with their number", () => {
    const question = `Which${zeroWidth.repeat(3)} one?${override}`;
    assert.equal(
      requestText({ type: "question", question, options: [] }, t),
      "Which[U+200B ×3] one?[U+202E]",
    );
  });

  it("show invisible characters in the name of a repeated call as marks", () => {
    assert.equal(
      pauseText({ type: "loop", tool: `read${zeroWidth}_file`, count: 3 }, t),
      "The model made the same 'read[U+200B]_file' call 3 times with the same result. Let it continue?",
    );
  });

  it("do not fill a placeholder that the model wrote", () => {
    assert.equal(requestText({ type: "question", question: "What is {0}?", options: [] }, t), "What is {0}?");
    assert.match(approval("faulty-pattern", "{0}"), /the exclude pattern '\{0\}'/);
  });
});

describe("the line of a call", () => {
  it("shows invisible characters of its main argument as marks, while it runs and afterwards", () => {
    const given = { path: `a${override}.ts` };
    assert.equal(callText(callOf("read_file", given), t), "Reading 'a[U+202E].ts'...");
    assert.equal(callText(callOf("read_file", given, "done"), t), "Read 'a[U+202E].ts'");
    assert.equal(callText(callOf("read_file", given, "denied"), t), "Denied: Reading 'a[U+202E].ts'");
    assert.equal(
      callText(callOf("ask_user", { question: `Why${zeroWidth}?` }, "interrupted"), t),
      "Interrupted: Asking you 'Why[U+200B]?'",
    );
  });

  it("shows invisible characters that count as white space as marks", () => {
    const command = "a\u00a0b\ufeffc\u2028d\ufeff";
    assert.equal(
      callText(callOf("run_command", { command }), t),
      "Running 'a[U+00A0]b[U+FEFF]c[U+2028]d[U+FEFF]'...",
    );
  });

  it("is not cut within a character", () => {
    const command = `a${"😀".repeat(100)}`;
    assert.equal(callText(callOf("run_command", { command }), t), `Running 'a${"😀".repeat(59)}…'...`);
  });

  it("shows invisible characters in the name of an unknown tool as marks", () => {
    const name = `delete${zeroWidth}`;
    assert.equal(callText(callOf(name, {}, "invalid"), t), "Not run: Calling 'delete[U+200B]'");
    assert.equal(callText(callOf(name, {}, "done"), t), "Called 'delete[U+200B]'");
    assert.equal(groupText(name, 3, t), "Called 'delete[U+200B]' 3 times");
  });

  it("stays one line of limited length", () => {
    const query = `first\n\tsecond ${"x".repeat(500)}`;
    const line = callText(callOf("search_text", { query }), t);
    assert.match(line, /^Searching for 'first second x+…'\.\.\.$/);
    assert.ok(line.length < 150, `${line.length}`);
  });

  it("takes the argument by each name that the tool reads, and does without a faulty one", () => {
    for (const name of ["path", "filePath", "file_path", "file"])
      assert.equal(callText(callOf("read_file", { [name]: "a.ts" }), t), "Reading 'a.ts'...", name);
    assert.equal(callText(callOf("read_file", { path: 5 }), t), "Reading ''...");
    assert.equal(callText(callOf("list_folder", {}), t), "Listing '.'...");
    const cut: AnswerCall = {
      ...callOf("read_file", {}),
      arguments: { kind: "invalid", text: '{"path": "a' },
    };
    assert.equal(callText(cut, t), "Reading ''...");
  });
});
