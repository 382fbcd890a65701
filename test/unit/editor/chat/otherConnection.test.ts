import assert from "node:assert/strict";
import { lastAnswerOf } from "../../../../src/chat/transcript/transcript.ts";
import type { QuestionDialogs } from "../../../../src/editor/chat/questionDialogs.ts";
import type { CapAnswer } from "../../../../src/editor/chat/spending.ts";
import { Desk, questionsOf, WorkingAnswer } from "./questionDesk.ts";

describe("a chat whose connection now goes to another host", () => {
  let origin: string;
  let asks: (readonly string[])[];
  let refused: Parameters<QuestionDialogs["showNotResumed"]>[];
  let reply: CapAnswer;
  let desk: Desk;

  beforeEach(async () => {
    [origin, asks, refused, reply] = ["https://one.example", [], [], "no"];
    desk = new Desk({
      origin: () => origin,
      dialogs: {
        confirmOtherHost: (...shown) => {
          asks.push(shown);
          return Promise.resolve(reply);
        },
        showNotResumed: (...shown) => void refused.push(shown),
      },
    });
    await desk.questions.send("Hello");
    assert.equal(lastAnswerOf(desk.chat.session.transcript)?.origin, origin);
    await desk.questions.send("And now?");
    assert.deepEqual([asks, desk.sentMessages.length], [[], 2]);
    origin = "https://two.example";
  });

  const turnId = (): string => desk.chat.session.transcript.leafId ?? assert.fail();
  const question = ["Acme", "https://one.example", "https://two.example"];

  it("sends nothing by Send, Retry or Continue until the user agrees, and then asks no more", async () => {
    desk.type("more");
    await desk.questions.send("more");
    await desk.questions.retry(turnId());
    await desk.questions.continue();
    assert.deepEqual(asks, [question, question, question]);
    assert.deepEqual([desk.restored, desk.sentMessages.length], [["more"], 2]);
    reply = "yes";
    await desk.questions.send("more");
    await desk.questions.send("and more");
    assert.equal(asks.length, 4);
    assert.equal(desk.sentMessages.length, 4);
  });

  it("continues with the chat's own model at the other host", async () => {
    reply = "yes";
    origin = "https://one.example";
    const choice = { connection: "Acme", model: "service-mini", clientStyle: "messages" } as const;
    await desk.questions.retry(turnId(), choice);
    origin = "https://two.example";
    await desk.questions.continue();
    const last = lastAnswerOf(desk.chat.session.transcript);
    assert.deepEqual([last?.origin, last?.model], [origin, "service-core"]);
  });

  it("can ask in a new chat, which is without the conversation", async () => {
    reply = "in-new-chat";
    await desk.questions.send("more");
    assert.deepEqual(questionsOf(desk.chat), ["more"]);
    assert.doesNotMatch(JSON.stringify(desk.sentMessages.at(-1)), /Hello/);
  });

  it("does not resume an answer of the other host", async () => {
    await desk.questions.resume(turnId());
    assert.deepEqual(refused, [["Acme", { kind: "moved", before: "https://one.example" }]]);
    assert.deepEqual([asks, desk.sentMessages.length], [[], 2]);
  });

  it("asks nothing if the host of the answer is unknown", async () => {
    const { transcript } = desk.chat.session;
    const turns = transcript.turns.map((turn) => {
      if (turn.kind === "question") return turn;
      const { origin: _, ...older } = turn;
      return older;
    });
    desk.chat.session.replace({ ...transcript, turns });
    await desk.questions.send("more");
    assert.deepEqual([asks, desk.sentMessages.length], [[], 3]);
  });
});

describe("a chat whose connection's name has passed to another connection", () => {
  it("sends nothing until the user agrees, and resumes no answer", async () => {
    let taken = "";
    let reply: CapAnswer = "no";
    const asks: (readonly string[])[] = [];
    const refused: unknown[] = [];
    const desk: Desk = new Desk({
      currentNameOf: ({ connection, at }) => (at < taken ? undefined : connection),
      dialogs: {
        confirmOtherConnection: (...shown) => {
          asks.push(shown);
          return Promise.resolve(reply);
        },
        showNotResumed: (...shown) => void refused.push(shown),
      },
    });
    const turnId = (): string => desk.chat.session.transcript.leafId ?? assert.fail();
    await desk.questions.send("Hello");
    taken = "2026-01-02T03:04:06Z";
    await desk.questions.send("more");
    await desk.questions.retry(turnId());
    await desk.questions.continue();
    await desk.questions.resume(turnId());
    const question = ["Acme", "Acme"];
    assert.deepEqual([asks, desk.sentMessages.length], [[question, question, question], 1]);
    assert.deepEqual(refused, [["Acme", { kind: "replaced" }]]);
    reply = "in-new-chat";
    await desk.questions.send("more");
    assert.doesNotMatch(JSON.stringify(desk.sentMessages.at(-1)), /Hello/);
  });

  it("takes no message for the answer of the other connection", async () => {
    let isTaken = false;
    let told = 0;
    const desk = new Desk({
      currentNameOf: ({ connection }) => (isTaken ? undefined : connection),
      dialogs: { showStillAnswering: () => void (told += 1) },
    });
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    isTaken = true;
    await desk.questions.send("for the other");
    answer.finish.resolve(undefined);
    await answered;
    assert.deepEqual([desk.restored, told], [["for the other"], 1]);
    assert.doesNotMatch(JSON.stringify(desk.sentMessages), /for the other/);
  });
});
