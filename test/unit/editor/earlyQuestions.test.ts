import assert from "node:assert/strict";
import { EarlyQuestions } from "../../../src/editor/chat/earlyQuestions.ts";

describe("questions that wait for a page", () => {
  it("are all asked, once and in order, also where one of them fails", async () => {
    const questions = new EarlyQuestions();
    const asked: string[] = [];
    const errors: unknown[] = [];
    const failure = new Error("not bound");
    const page = {
      ask: async (text: string): Promise<void> => {
        asked.push(text);
        if (text === "first") throw failure;
      },
    };
    questions.add("first", []);
    questions.add("second", []);
    questions.askIn(page, (error) => errors.push(error));
    questions.askIn(page, (error) => errors.push(error));
    questions.add("third", []);
    questions.askIn(page, (error) => errors.push(error));
    await new Promise(setImmediate);
    assert.deepEqual([asked, errors], [["first", "second", "third"], [failure]]);
  });
});
