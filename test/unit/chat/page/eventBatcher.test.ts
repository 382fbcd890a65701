import assert from "node:assert/strict";
import { mock } from "node:test";
import {
  EventBatcher,
  joinTexts,
  withoutContents,
  withoutEventContents,
} from "../../../../src/chat/page/eventBatcher.ts";
import { asked, started as answerStarted } from "../transcript/sampleEvents.ts";
import {
  emptyTranscript,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../../../src/chat/transcript/transcript.ts";

const text = (each: string): TranscriptEvent => ({ type: "text-delta", text: each });
const reasoning = (each: string): TranscriptEvent => ({ type: "reasoning-delta", text: each });
const apply = (all: readonly TranscriptEvent[]): Transcript => all.reduce(reduceTranscript, emptyTranscript);

const trickle = (at: number): number => (at % 10 === 0 ? 1 : 0);

/** The number of batches posted within 160 ms for these numbers of events per millisecond. */
function batchesOf(eventsPerMillisecond: (at: number) => number, hasFocus: boolean): number {
  mock.timers.enable({ apis: ["setTimeout"] });
  let posted = 0;
  const batches = new EventBatcher(() => (posted += 1));
  batches.hasFocus = hasFocus;
  for (let at = 0; at < 160; at += 1) {
    const count = eventsPerMillisecond(at);
    if (count > 0) batches.add(Array.from({ length: count }, () => text("a")));
    mock.timers.tick(1);
  }
  batches.dispose();
  mock.timers.reset();
  return posted;
}

function output(shown: string): TranscriptEvent {
  return { type: "call-output", call: 0, output: shown };
}

describe("event batches", () => {
  it("join only adjacent texts of one kind", () => {
    const usage: TranscriptEvent = { type: "usage", usage: { inputTokens: 1 } };
    assert.deepEqual(
      joinTexts([reasoning("a"), reasoning("b"), text("c"), text("d"), usage, text("e"), text("f")]),
      [reasoning("ab"), text("cd"), usage, text("ef")],
    );
  });

  it("keep only the newest of adjacent outputs of a call", () => {
    const settled: TranscriptEvent = {
      type: "call-settled",
      call: 0,
      result: { outcome: "done", text: "abc" },
    };
    assert.deepEqual(joinTexts([output("a"), output("ab"), settled]), [output("ab"), settled]);
  });

  it("give the page only the end of a long output", () => {
    const event = withoutEventContents(output(`${"a".repeat(5000)}end`));
    assert.ok(event.type === "call-output");
    assert.equal(event.output.length, 4000);
    assert.ok(event.output.endsWith("aend"));
  });

  it("give the page no contents of attachments", () => {
    const content = { type: "text", text: "secret", language: "" } as const;
    const attachments = [
      { id: "b", kind: "file", name: "b.ts", detail: "b.ts", characters: 6, content } as const,
    ];
    const message = { text: "and b.ts", attachments };
    const events: readonly TranscriptEvent[] = [
      { type: "message-added", message: { by: "user", ...message } },
      { type: "messages-queued", messages: [message] },
    ];
    for (const event of events) {
      const shown = JSON.stringify(withoutEventContents(event));
      assert.ok(shown.includes("b.ts") && !shown.includes("secret"), shown);
    }
    const step: TranscriptEvent = { type: "step-ended", calls: [], outline: [] };
    const whole = apply([asked("q", null), answerStarted("a", "q"), step, ...events]);
    assert.ok(JSON.stringify(whole).includes("secret"));
    assert.doesNotMatch(JSON.stringify(withoutContents(whole)), /secret/);
  });

  it("produce the same transcript as the single events", () => {
    const started: TranscriptEvent = {
      type: "answer-started",
      turn: {
        kind: "answer",
        id: "a",
        parentId: "q",
        text: "",
        reasoning: "",
        state: { kind: "waiting" },
        connection: "Work",
        model: "service-core",
        clientStyle: "messages",
        at: "2026-01-01T00:00:00.000Z",
      },
    };
    const ended: TranscriptEvent = { type: "answer-ended", state: { kind: "complete", reason: "stop" } };
    const events = [started, reasoning("so "), reasoning("so"), text("one "), text("two"), ended];
    assert.deepEqual(apply(joinTexts(events)), apply(events));
  });

  it("post the first event at once and the following ones together, in order", async () => {
    const posted: (readonly TranscriptEvent[])[] = [];
    const second = Promise.withResolvers<void>();
    const batches = new EventBatcher((events) => {
      posted.push(events);
      if (posted.length === 2) second.resolve();
    });
    batches.add([text("a")]);
    batches.add([text("b")]);
    batches.add([text("c"), reasoning("d")]);
    assert.deepEqual(posted, [[text("a")]]);
    await second.promise;
    assert.deepEqual(posted, [[text("a")], [text("bc"), reasoning("d")]]);
    batches.dispose();
  });

  it("post slow tokens at once and fast ones once per frame to a focused page", () => {
    assert.equal(batchesOf(trickle, true), 16);
    const flood = batchesOf(() => 10, true);
    assert.ok(flood >= 10 && flood <= 11, `${flood} batches of a flood`);
  });

  it("are posted 20 times a second to a page without the focus", () => {
    assert.equal(batchesOf(trickle, false), 4);
    assert.equal(
      batchesOf(() => 10, false),
      4,
    );
  });

  it("post pending events at once when flushed", () => {
    const posted: (readonly TranscriptEvent[])[] = [];
    const batches = new EventBatcher((events) => posted.push(events));
    batches.add([text("a")]);
    batches.add([text("b")]);
    batches.flush();
    batches.flush();
    assert.deepEqual(posted, [[text("a")], [text("b")]]);
    batches.dispose();
  });
});
