import assert from "node:assert/strict";
import { readCommitMessage } from "../../../src/chat/commit/commitMessage.ts";
import { readSharedCases } from "./sharedCases.ts";

const fence = "```";

/** The answers of a case by its name. Each contains the same message. */
const answers: Readonly<Record<string, (message: string) => readonly string[]>> = {
  fenced: (message) => [
    `${fence}\n${message}\n${fence}`,
    `${fence}text\n${message}\n${fence}\n`,
    `Here is it:\n\n${fence}\n${message}\n${fence}\nIt follows the rules.`,
  ],
  "think tag": (message) => [
    `<think>\nWhat is it?\n</think>\n\n${message}`,
    `<think>${message}?</think>${message}`,
    `<thinking>a</thinking>\n${message}`,
  ],
  label: (message) => [
    `Commit message: ${message}`,
    `Commit message:\n\n${message}`,
    `**Commit Message:** ${message}`,
    `Title: ${message}`,
  ],
};

describe("the shared cases of commit messages", () => {
  it("produce the expected message", () => {
    const missed = readSharedCases("commit message").flatMap(({ id, input, expect }) => {
      const made = answers[String(input)]?.(String(expect));
      if (made === undefined) return [{ id, answer: input, found: "there is no answer of this name" }];
      return made
        .map((answer) => ({ id, answer, found: readCommitMessage(answer) }))
        .filter(({ found }) => found !== expect);
    });
    assert.deepEqual(missed, []);
  });
});
