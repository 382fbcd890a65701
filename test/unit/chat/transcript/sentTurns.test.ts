import assert from "node:assert/strict";
import fc from "fast-check";
import { fitConversation } from "../../../../src/chat/session/contextWindow.ts";
import { convertTurns } from "../../../../src/chat/session/buildMessages.ts";
import { sendingOf, sentTurns } from "../../../../src/chat/transcript/sentTurns.ts";
import type {
  AnswerState,
  AnswerTurn,
  QuestionTurn,
  Turn,
} from "../../../../src/chat/transcript/transcript.ts";

const at = "2026-01-01T00:00:00.000Z";
const diagnosis = {
  cause: "context-length",
  title: "Too long",
  explanation: "",
  evidence: [],
  actions: [],
} as const;
const failed: AnswerState = { kind: "failed", diagnosis };
const complete: AnswerState = { kind: "complete", reason: "stop" };

const question = (id: string, rest: Partial<QuestionTurn> = {}): QuestionTurn => ({
  kind: "question",
  id,
  parentId: null,
  text: `question ${id}`,
  at,
  ...rest,
});
const answer = (id: string, state: AnswerState, text: string, reasoning = ""): AnswerTurn => ({
  kind: "answer",
  id: `a${id}`,
  parentId: id,
  text,
  reasoning,
  state,
  connection: "Work",
  model: "m",
  clientStyle: "messages",
  at,
});
const exchange = (
  id: string,
  state: AnswerState,
  text = "",
  rest: Partial<QuestionTurn> = {},
): readonly Turn[] => [question(id, rest), answer(id, state, text)];
const idsOf = (turns: readonly Turn[]): readonly string[] => turns.map(({ id }) => id);
const newest = question("new");

describe("the sent turns of a branch", () => {
  it("exclude a question whose answer failed without any text, and its attachments", () => {
    const huge = {
      id: "x",
      kind: "file",
      name: "x",
      detail: "x",
      characters: 9,
      content: { type: "text", text: "HUGE", language: "" },
    } as const;
    const turns = sentTurns([
      ...exchange("1", complete, "one"),
      ...exchange("2", failed, "", { attachments: [huge] }),
      newest,
    ]);
    assert.deepEqual(idsOf(turns), ["1", "a1", "new"]);
    assert.doesNotMatch(JSON.stringify(convertTurns(turns)), /HUGE|question 2/);
  });

  it("are only the new question if all earlier answers failed", () => {
    const turns = sentTurns([...exchange("1", failed), ...exchange("2", failed, " \n"), newest]);
    assert.deepEqual(convertTurns(turns), [
      { role: "user", content: [{ type: "text", text: "question new" }] },
    ]);
  });

  it("include a question with a partial answer, and that answer", () => {
    for (const state of [failed, { kind: "stopped" }, { kind: "interrupted" }] as const) {
      assert.deepEqual(idsOf(sentTurns([...exchange("1", state, "half"), newest])), ["1", "a1", "new"]);
    }
  });

  it("include a question without any answer text unless the answer failed", () => {
    const ends: readonly AnswerState[] = [
      { kind: "stopped" },
      { kind: "interrupted" },
      { kind: "complete", reason: "length" },
    ];
    for (const state of ends) {
      assert.equal(sendingOf(...pairOf(exchange("1", state))), undefined);
      assert.deepEqual(idsOf(sentTurns([...exchange("1", state), newest])), ["1", "a1", "new"]);
    }
    assert.deepEqual(idsOf(sentTurns([question("1"), newest])), ["1", "new"]);
  });

  it("exclude a question whose answer failed after only reasoning had arrived", () => {
    const turns = [question("1"), answer("1", failed, "", "First I think"), newest];
    assert.deepEqual(idsOf(sentTurns(turns)), ["new"]);
  });

  it("include the newest question, and a question whose answer is pending", () => {
    const waiting = [question("1"), answer("1", { kind: "waiting" }, "")];
    assert.deepEqual(idsOf(sentTurns(waiting)), ["1", "a1"]);
    assert.deepEqual(idsOf(sentTurns([newest])), ["new"]);
  });

  it("follow the user's choice to include or exclude a question", () => {
    assert.deepEqual(idsOf(sentTurns([...exchange("1", failed, "", { included: true }), newest])), [
      "1",
      "a1",
      "new",
    ]);
    assert.equal(sendingOf(...pairOf(exchange("1", failed, "", { included: true }))), "included");
    assert.equal(sendingOf(...pairOf(exchange("1", failed))), "left-out");
    assert.equal(
      sendingOf(...pairOf(exchange("1", { kind: "stopped" }, "", { included: false }))),
      "left-out",
    );
    // If the answer has text, the user's choice no longer counts.
    assert.equal(sendingOf(...pairOf(exchange("1", complete, "one", { included: false }))), undefined);
  });

  it("alternate roles, and begin and end with the user, whatever failed", () => {
    const end = fc.constantFrom<AnswerState>(failed, complete, { kind: "stopped" }, { kind: "interrupted" });
    const included = fc.constantFrom(undefined, true, false);
    const pair = fc.record({ end, text: fc.constantFrom("", " ", "said"), included });
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), fc.nat(200), (pairs, window) => {
        const branch = pairs.flatMap(({ end: state, text, included: chosen }, index) =>
          exchange(String(index), state, text, chosen === undefined ? {} : { included: chosen }),
        );
        const sent = sentTurns([...branch, newest]);
        assert.deepEqual(sentTurns(sent), sent);
        const room = { maxTokens: 20, charactersPerToken: 4, contextWindow: window };
        for (const turns of [sent, fitConversation(sent, room).turns]) {
          const messages = convertTurns(turns);
          const roles = messages.map(({ role }) => role);
          const texts = messages.flatMap(({ content }) => content);
          assert.ok(texts.every((part) => part.type === "text" && part.text.trim() !== ""));
          assert.deepEqual(
            roles,
            roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")),
          );
          assert.equal(roles.length % 2, 1);
        }
      }),
    );
  });
});

function pairOf([asked, answered]: readonly Turn[]): readonly [Turn, Turn | undefined] {
  assert.ok(asked !== undefined);
  return [asked, answered];
}
