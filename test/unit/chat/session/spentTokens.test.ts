import assert from "node:assert/strict";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import {
  expectedNextRequest,
  expectedTokens,
  spentInChat,
  spentOn,
} from "../../../../src/chat/session/spentTokens.ts";
import type { AnswerStep } from "../../../../src/chat/transcript/steps.ts";
import {
  type AnswerState,
  type AnswerTurn,
  emptyTranscript,
  type QuestionTurn,
  type Transcript,
} from "../../../../src/chat/transcript/transcript.ts";
import type { Usage } from "../../../../src/protocol/conversation/conversation.ts";

const at = "2026-01-01T00:00:00.000Z";
const long = "x".repeat(4000);
const instructions: readonly Attachment[] = [
  { id: "i", kind: "instructions", name: "AGENTS.md", detail: "AGENTS.md", characters: 400 },
];

const question: QuestionTurn = { kind: "question", id: "q", parentId: null, text: long, at, instructions };

function answerOf(kind: "complete" | "stopped" | "failed", text: string, usage?: Usage): AnswerTurn {
  const states: Readonly<Record<typeof kind, AnswerState>> = {
    complete: { kind: "complete", reason: "stop" },
    stopped: { kind: "stopped" },
    failed: {
      kind: "failed",
      diagnosis: { cause: "server-error", title: "", explanation: "", evidence: [], actions: [] },
    },
  };
  return {
    kind: "answer",
    id: "a",
    parentId: "q",
    text,
    reasoning: "",
    state: states[kind],
    connection: "Work",
    model: "service-core",
    clientStyle: "messages",
    at,
    ...(usage === undefined ? {} : { usage }),
  };
}

const chatWith = (answer: AnswerTurn): Transcript => ({
  turns: [question, answer],
  arriving: null,
  leafId: answer.id,
});
const spent = (answer: AnswerTurn): number => spentOn(chatWith(answer), answer);

describe("the tokens of an answer", () => {
  it("are the service's counts if the answer is complete", () => {
    assert.equal(spent(answerOf("complete", long, { inputTokens: 7, outputTokens: 5 })), 12);
  });

  it("are estimated with the question and instructions if nothing was counted", () => {
    assert.ok(spent(answerOf("complete", long)) >= 2100);
    assert.ok(spent(answerOf("stopped", "")) >= 1100, "what was sent was taken");
  });

  it("are estimated from the arrived text if the final count is missing", () => {
    assert.equal(spent(answerOf("stopped", long, { inputTokens: 7, outputTokens: 1 })), 1007);
  });

  it("are 0 if it failed before any text arrived", () => {
    assert.equal(spent(answerOf("failed", "")), 0);
    assert.equal(spentInChat(chatWith(answerOf("failed", ""))), 0);
  });
});

/** A chat whose answers were all stopped, so they have no counts. `reads` counts the reads of its texts. */
function stoppedChat(exchanges: number, leftOut?: AnswerTurn["leftOut"]) {
  const reads = { count: 0 };
  const turns = Array.from({ length: exchanges }, (_, index) => {
    const asked = { ...question, id: `q${index}`, parentId: index === 0 ? null : `a${index - 1}` };
    const answered = { ...answerOf("stopped", long), id: `a${index}`, parentId: `q${index}` };
    return [asked, leftOut === undefined ? answered : { ...answered, leftOut }];
  })
    .flat()
    .map((turn) =>
      Object.defineProperty({ ...turn }, "text", {
        get: () => {
          reads.count += 1;
          return turn.text;
        },
      }),
    );
  const transcript: Transcript = { turns, arriving: null, leafId: `a${exchanges - 1}` };
  return { reads, transcript };
}

describe("the uncounted tokens of a long chat", () => {
  it("are estimated in one pass", () => {
    const { reads, transcript } = stoppedChat(1000);
    const total = spentInChat(transcript);
    assert.ok(reads.count <= 4000, `${reads.count} reads of 2,000 texts`);
    assert.ok(total > 1000 * 1000 * 1000, "each answer was sent all that came before it");
  });

  it("include only the sent turns if the context window was too small", () => {
    const { transcript } = stoppedChat(100, { turns: 2, attachments: 0, sentTokens: 3000 });
    assert.equal(spentInChat(transcript), 100 * 4000);
    const next = { text: "", attachments: [], instructions };
    assert.equal(expectedTokens(transcript, next), 3000 + 1004);
  });
});

describe("the expected tokens of a question", () => {
  const next = { text: "y".repeat(40), attachments: [], instructions };

  it("are the previous count plus the question", () => {
    const usage = { inputTokens: 700, outputTokens: 300 };
    assert.equal(expectedTokens(chatWith(answerOf("complete", long, usage)), next), 1010);
  });

  it("exclude a question whose answer failed, unless the user included it", () => {
    const chat = chatWith(answerOf("failed", ""));
    const [failed, ended] = chat.turns;
    assert.ok(failed?.kind === "question" && ended !== undefined);
    assert.equal(expectedTokens(chat, next), 110);
    const included = { ...chat, turns: [{ ...failed, included: true }, ended] };
    assert.ok(expectedTokens(included, next) >= 1110);
    const later = { ...question, id: "q2", parentId: "a", text: "" };
    const stopped = { ...answerOf("stopped", ""), id: "a2", parentId: "q2" };
    const goOn = ({ turns, ...rest }: Transcript): number =>
      spentOn({ ...rest, turns: [...turns, later, stopped] }, stopped);
    assert.equal(goOn(included) - goOn(chat), 1004);
  });

  it("are the count before a question whose answer failed, plus the new question", () => {
    const whole = chatWith(answerOf("complete", long, { inputTokens: 700, outputTokens: 300 }));
    const later = { ...question, id: "q2", parentId: "a" };
    const failed = { ...answerOf("failed", ""), id: "a2", parentId: "q2" };
    assert.equal(
      expectedTokens({ ...whole, turns: [...whole.turns, later, failed], leafId: "a2" }, next),
      1010,
    );
  });

  it("include the conversation and the instructions even if nothing was counted", () => {
    assert.ok(expectedTokens(chatWith(answerOf("stopped", long)), next) >= 2110);
    assert.equal(expectedTokens(emptyTranscript, next), 110);
  });
});

/** A step with one call and a result of this many characters. Name and arguments have 40 characters. */
function stepWith(resultCharacters: number, messageCharacters = 0): AnswerStep {
  return {
    textEnd: 0,
    reasoningEnd: 0,
    outline: [],
    calls: [
      {
        id: "call",
        name: "read_file",
        arguments: { kind: "object", value: { path: "x".repeat(20) } },
        state: { kind: "settled", result: { outcome: "done", text: "y".repeat(resultCharacters) } },
      },
    ],
    ...(messageCharacters === 0 ? {} : { messages: [{ by: "user", text: "z".repeat(messageCharacters) }] }),
  };
}

describe("the uncounted tokens of an answer with steps", () => {
  /** The question with its message and instructions. */
  const first = 1000 + 4 + 100;

  it("include the steps again in each later request", () => {
    const steps = [stepWith(4000), stepWith(8000, 400)];
    const answer = { ...answerOf("stopped", ""), steps };
    const [afterOne, afterTwo] = [first + 1010, first + 1010 + 2110];
    assert.equal(spent(answer), first + afterOne + afterTwo + 20);
  });

  it("include the questions before it in each request", () => {
    const before = { ...question, id: "q0", instructions: [] };
    const said = {
      ...answerOf("complete", long, { inputTokens: 1, outputTokens: 1 }),
      id: "a0",
      parentId: "q0",
    };
    const answer = { ...answerOf("stopped", ""), steps: [stepWith(4000)] };
    const turns = [before, said, { ...question, parentId: "a0" }, answer];
    const whole = first + 2 * 1004;
    assert.equal(spentOn({ turns, arriving: null, leafId: "a" }, answer), 2 * whole + 1010 + 10);
  });

  it("begin with what the first request sent if it was too long for the context window", () => {
    const leftOut = { turns: 2, attachments: 0, sentTokens: 500 };
    const answer = { ...answerOf("stopped", ""), leftOut, steps: [stepWith(4000)] };
    assert.equal(spent(answer), 500 + 1510 + 10);
  });

  it("are the service's counts of all requests if they are more", () => {
    const answer = {
      ...answerOf("stopped", "", { inputTokens: 9000, outputTokens: 50 }),
      earlierUsage: { inputTokens: 4000, outputTokens: 20 },
      steps: [{ ...stepWith(400), usage: { inputTokens: 4000, outputTokens: 20 } }],
    };
    assert.equal(spent(answer), 9050);
  });

  it("are not 0 if it failed after a step", () => {
    assert.ok(spent({ ...answerOf("failed", ""), steps: [stepWith(4000)] }) > 2 * first);
  });
});

const arrivingIn = (answer: AnswerTurn): Transcript => ({
  turns: [question],
  arriving: { ...answer, state: { kind: "working" } },
  leafId: answer.id,
});

describe("the expected tokens of the next request of an answer", () => {
  /** The question, the step's two messages, its call and its result. */
  const estimated = 1004 + 8 + 1010;

  it("are an estimate of the conversation with its steps if nothing was counted", () => {
    const answer = { ...answerOf("stopped", ""), steps: [stepWith(4000)] };
    assert.equal(expectedNextRequest(arrivingIn(answer)), estimated);
  });

  it("are the count of the last request alone if that is more", () => {
    const earlierUsage = { inputTokens: 4000, outputTokens: 100 };
    const usage = { inputTokens: 9000, outputTokens: 300 };
    const answer = { ...answerOf("stopped", "", usage), earlierUsage, steps: [stepWith(4000)] };
    assert.equal(expectedNextRequest(arrivingIn(answer)), 5200);
  });

  it("are the estimate if a large result came after the last count", () => {
    const usage = { inputTokens: 1100, outputTokens: 20 };
    const answer = { ...answerOf("stopped", "", usage), steps: [stepWith(400_000)] };
    assert.equal(expectedNextRequest(arrivingIn(answer)), 1004 + 8 + 100_010);
  });
});
