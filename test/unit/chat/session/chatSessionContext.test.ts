import assert from "node:assert/strict";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import type { ChatTarget } from "../../../../src/chat/session/chatTarget.ts";
import { ChatSession } from "../../../../src/chat/session/chatSession.ts";
import type { ModelLimits } from "../../../../src/chat/session/contextWindow.ts";
import { emptyTranscript, visibleTurns } from "../../../../src/chat/transcript/transcript.ts";
import type { Message } from "../../../../src/protocol/conversation/conversation.ts";

const attachment: Attachment = {
  id: "1",
  kind: "file",
  name: "a.ts",
  detail: "src/a.ts",
  characters: 12,
  content: { type: "text", text: "const a = 1;", language: "ts" },
};

/** A session that answers every question with "Yes.", and the messages that it sent. */
function openSession(room: ModelLimits) {
  const asked: (readonly Message[])[] = [];
  let ids = 0;
  const answer: ChatTarget["answer"] = async (messages, _signal, { onParts }) => {
    asked.push(messages);
    onParts([{ type: "text-delta", text: "Yes." }]);
  };
  const session = new ChatSession({
    target: () => ({
      connection: "Test",
      hasGiven: () => true,
      model: "m",
      clientStyle: "messages",
      room,
      taken: () => room,
      answer,
      stallSeconds: 0,
      diagnose: () => Promise.reject(new Error("nothing fails here")),
      onSettled: () => undefined,
    }),
    transcript: emptyTranscript,
    onEvents: () => undefined,
    now: () => new Date("2026-01-02T03:04:05Z"),
    newId: () => `turn-${(ids += 1)}`,
  });
  const lastText = () => JSON.stringify(asked.at(-1)?.at(-1));
  return { session, asked, lastText };
}

describe("ChatSession with attachments", () => {
  const room = { maxTokens: 100, charactersPerToken: 4 };

  it("sends attachments with their question, its retry, and its edit", async () => {
    const { session, lastText } = openSession(room);
    await session.send("What is a?", [attachment]);
    assert.ok(lastText().includes("const a = 1;"));
    const [question, answer] = visibleTurns(session.transcript);
    await session.retry(answer?.id ?? "");
    assert.ok(lastText().includes("const a = 1;"));
    await session.edit(question?.id ?? "", "And what is b?");
    assert.ok(lastText().includes("const a = 1;") && lastText().includes("And what is b?"));
    await session.send("Nothing attached");
    assert.ok(!lastText().includes("const a = 1;"));
  });

  it("records in the answer what was left out, and keeps the whole transcript", async () => {
    const { session, asked } = openSession({ ...room, contextWindow: 600 });
    for (const word of ["one", "two", "three"]) await session.send(word.padEnd(800, "."));
    assert.equal(asked.at(-1)?.length, 3);
    const turns = visibleTurns(session.transcript);
    assert.equal(turns.length, 6);
    const last = turns.at(-1);
    assert.ok(last?.kind === "answer");
    const { sentTokens = 0, ...leftOut } = last.leftOut ?? {};
    assert.deepEqual(leftOut, { turns: 2, attachments: 0 });
    assert.ok(sentTokens > 400 && sentTokens < 600, `${sentTokens}`);
    const first = turns[1];
    assert.ok(first?.kind === "answer" && !("leftOut" in first));
  });

  it("counts only the turns before a retried answer toward the context window", async () => {
    const { session, asked } = openSession({ ...room, contextWindow: 600 });
    for (const word of ["one", "two", "three"]) await session.send(word.padEnd(800, "."));
    const [, first] = visibleTurns(session.transcript);
    await session.retry(first?.id ?? "");
    assert.equal(asked.at(-1)?.length, 1);
    const answer = visibleTurns(session.transcript).at(-1);
    assert.ok(answer?.kind === "answer" && answer.leftOut === undefined);
  });
});
