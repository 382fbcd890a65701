import assert from "node:assert/strict";
import { expectedNextRequest, expectedTokens, spentOn } from "../../../../src/chat/session/spentTokens.ts";
import {
  convertConversationToJson,
  convertJsonToConversation,
  convertTurnsToEvents,
} from "../../../../src/chat/history/export/portableConversation.ts";
import {
  type AnswerTurn,
  emptyTranscript,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../../../src/chat/transcript/transcript.ts";
import type { Usage } from "../../../../src/protocol/conversation/conversation.ts";
import { asked, completed, reduce, started } from "../transcript/sampleEvents.ts";

/** 4 characters are a token. The question has 1,000 tokens, and a message has 4 besides its text. */
const opening: readonly TranscriptEvent[] = [asked("q", null, "x".repeat(4000)), started("a", "q")];
const sent = 1004;
/** Text of 100 tokens. */
const text: TranscriptEvent = { type: "text-delta", text: "y".repeat(400) };
/** A call of 25 tokens, and its result of 500. */
const step: readonly TranscriptEvent[] = [
  {
    type: "step-ended",
    calls: [
      {
        type: "tool-call",
        id: "c",
        name: "read_file",
        arguments: { kind: "object", value: { path: "z".repeat(80) } },
      },
    ],
    outline: [],
  },
  { type: "call-settled", call: 0, result: { outcome: "done", text: "r".repeat(2000) } },
];
const sentAgain = sent + 100 + 25 + 500;
const counts = (usage: Usage): TranscriptEvent => ({ type: "usage", usage });

const answerOf = ({ turns, arriving }: Transcript): AnswerTurn => {
  const last = arriving ?? turns.at(-1);
  return last?.kind === "answer" ? last : assert.fail("There is no answer.");
};
const spent = (...events: readonly TranscriptEvent[]): number => {
  const transcript = reduce([...opening, ...events]);
  return spentOn(transcript, answerOf(transcript));
};

describe("the tokens of an answer that are reported in part", () => {
  it("are the input and an estimate of the text if only the input is reported", () => {
    assert.equal(spent(text, counts({ inputTokens: 700 }), completed), 800);
    assert.equal(spent(text, counts({ inputTokens: 700, outputTokens: 0 }), completed), 800);
  });

  it("are the output and an estimate of the request if only the output is reported", () => {
    assert.equal(spent(text, counts({ outputTokens: 30 }), completed), sent + 100);
    assert.equal(spent(text, counts({ outputTokens: 130 }), completed), sent + 130);
  });

  it("are the total if only the total is reported", () => {
    assert.equal(spent(text, counts({ totalTokens: 50 }), completed), 50);
  });

  const whole = counts({ inputTokens: 2000, outputTokens: 40 });
  const requests: readonly (readonly [string, readonly TranscriptEvent[], number])[] = [
    ["both requests", [text, whole, ...step, text, whole, completed], 4080],
    ["the first request", [text, whole, ...step, text, completed], 2040 + sentAgain + 100],
    ["the last request", [text, ...step, text, whole, completed], sent + 125 + 2040],
    ["no request", [text, ...step, text, completed], sent + 125 + sentAgain + 100],
    [
      "the first request, and the input of the last",
      [text, whole, ...step, text, counts({ inputTokens: 3000 }), completed],
      2040 + 3000 + 100,
    ],
    [
      "the input of the first request, and the total of the last",
      [text, counts({ inputTokens: 900 }), ...step, text, counts({ totalTokens: 5000 }), completed],
      900 + 125 + 5000,
    ],
  ];
  for (const [reported, events, expected] of requests) {
    it(`contain an estimate of the rest if those of ${reported} are reported`, () => {
      assert.equal(spent(...events), expected);
    });

    it(`are the same after an export and import if those of ${reported} are reported`, () => {
      const transcript = reduce([...opening, ...events]);
      const exported = { title: null, pinned: false, createdAt: null, transcript };
      const imported = convertJsonToConversation(convertConversationToJson(exported)) ?? assert.fail();
      const { turns, leafId } = imported.transcript;
      const stored = convertTurnsToEvents(turns, leafId).reduce(reduceTranscript, emptyTranscript);
      assert.equal(spentOn(stored, answerOf(stored)), expected);
    });
  }

  it("leave out the request that was not sent, while a tool runs and after it was stopped", () => {
    const running = [text, ...step.slice(0, 1)];
    assert.equal(spent(...running), sent + 125);
    assert.equal(spent(...running, { type: "answer-ended", state: { kind: "stopped" } }), sent + 125);
  });

  it("keep the count of a request that was cut before the answer was resumed", () => {
    const events: readonly TranscriptEvent[] = [
      text,
      whole,
      ...step,
      text,
      counts({ inputTokens: 3000, outputTokens: 1 }),
      { type: "answer-ended", state: { kind: "stopped" } },
    ];
    const before = spent(...events);
    assert.equal(before, 2040 + 3100);
    const resumed: readonly TranscriptEvent[] = [
      { type: "answer-resumed", turnId: "a" },
      { type: "step-ended", calls: [], outline: [] },
      { type: "message-added", message: { by: "resumed", text: "Go on." } },
    ];
    assert.equal(spent(...events, ...resumed), before);
    assert.equal(spent(...events, ...resumed, text, whole, completed), before + 2040);
  });
});

describe("the expected tokens after an answer that is reported in part", () => {
  const next = { text: "n".repeat(40), attachments: [], instructions: [] };

  it("are the input and an estimate of the text if only the input is reported", () => {
    const transcript = reduce([...opening, text, counts({ inputTokens: 7000 }), completed]);
    assert.equal(expectedTokens(transcript, next), 7110);
  });

  it("are the newest count of the streaming answer, if that is more than the estimate", () => {
    const whole = counts({ inputTokens: 9000, outputTokens: 300 });
    const once = [...opening, text, whole, ...step];
    assert.equal(expectedNextRequest(reduce(once)), 9300);
    assert.equal(expectedNextRequest(reduce([...once, text, ...step])), 9300);
    assert.equal(expectedNextRequest(reduce([...once, text, counts({ inputTokens: 9500 }), ...step])), 9600);
  });
});
