import assert from "node:assert/strict";
import { KnownKeys } from "../../../../../src/editor/chat/knownKeys.ts";
import {
  convertConversationToMarkdown,
  convertMarkdownToConversation,
} from "../../../../../src/chat/history/export/conversationMarkdown.ts";
import {
  convertConversationToJson,
  convertJsonToConversation,
  convertTurnsToEvents,
  type PortableConversation,
  withoutReasoning,
} from "../../../../../src/chat/history/export/portableConversation.ts";
import { encodeRecord } from "../../../../../src/chat/history/log/conversationFile.ts";
import { StreamRedactor } from "../../../../../src/chat/history/log/streamRedactor.ts";
import type { Attachment } from "../../../../../src/chat/transcript/attachments.ts";
import { partsOf } from "../../../../../src/chat/transcript/steps.ts";
import {
  type AnswerTurn,
  emptyTranscript,
  isResumable,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../../../../src/chat/transcript/transcript.ts";
import { ApiKey } from "../../../../../src/client/key/apiKey.ts";
import { sealFor } from "../../../../support/sealFor.ts";
import { fakeKey } from "../../../service/fixture.ts";
import { asked, completed, reduce, started } from "../../transcript/sampleEvents.ts";
import { decodeConversation } from "../sampleConversation.ts";

const text = (value: string): TranscriptEvent => ({ type: "text-delta", text: value });

const attachment: Attachment = {
  id: "b",
  kind: "file",
  name: "b.ts",
  detail: "src/b.ts",
  characters: 13,
  content: { type: "text", text: "the text of b", language: "typescript" },
};

const stepEnded: TranscriptEvent = {
  type: "step-ended",
  calls: [
    {
      type: "tool-call",
      id: "c1",
      name: "read_file",
      arguments: { kind: "object", value: { path: "a.ts" } },
    },
    { type: "tool-call", id: "c2", name: "list_folder", arguments: { kind: "object", value: {} } },
  ],
  outline: [
    { type: "reasoning", form: "thinking", text: "Hm", signature: "s" },
    { type: "text", letters: 5 },
    { type: "call", id: "c1" },
    { type: "call", id: "c2" },
  ],
};

const settled = (call: number, value: string): TranscriptEvent => ({
  type: "call-settled",
  call,
  result: { outcome: "done", text: value, facts: { count: 1 } },
});

const answer: readonly TranscriptEvent[] = [
  asked("q1", null),
  started("a1", "q1"),
  { type: "reasoning-delta", text: "Hm" },
  text("I look."),
  stepEnded,
  settled(0, "the contents"),
  settled(1, "a.ts"),
  { type: "message-added", message: { by: "user", text: "and b.ts", attachments: [attachment] } },
  { type: "usage", usage: { inputTokens: 10, outputTokens: 2 } },
  text("It adds."),
];

const fileOf = (...events: readonly TranscriptEvent[]): Buffer =>
  Buffer.from(encodeRecord({ type: "events", writer: "one", number: 1, events }));

const stored = (...events: readonly TranscriptEvent[]): Transcript =>
  decodeConversation(fileOf(...events)).transcript;

const answerOf = ({ turns }: Transcript): AnswerTurn => {
  const last = turns.at(-1);
  return last?.kind === "answer" ? last : assert.fail("There is no answer.");
};

function conversation(transcript: Transcript): PortableConversation {
  return { title: null, pinned: false, createdAt: "2026-01-01T00:00:00.000Z", transcript };
}

describe("stored steps of an answer", () => {
  it("are read back as they were", () => {
    assert.deepEqual(stored(...answer, completed), reduce([...answer, completed]));
  });

  it("have interrupted calls if the window closed amongst them", () => {
    const { steps = [] } = answerOf(stored(...answer.slice(0, 6)));
    assert.deepEqual(
      steps[0]?.calls.map(({ state }) => (state.kind === "settled" ? state.result.outcome : state.kind)),
      ["done", "interrupted"],
    );
  });

  it("continue in the same answer after it is resumed, also by another window", () => {
    const before = stored(...answer.slice(0, 7));
    assert.ok(isResumable(before, "a1"));
    const resumed: readonly TranscriptEvent[] = [
      { type: "answer-resumed", turnId: "a1" },
      text("It adds."),
      completed,
    ];
    const bytes = Buffer.concat([
      fileOf(...answer.slice(0, 7)),
      Buffer.from(encodeRecord({ type: "events", writer: "two", number: 1, events: resumed })),
    ]);
    const { transcript } = decodeConversation(bytes);
    assert.equal(transcript.turns.length, 2);
    assert.deepEqual(
      partsOf(answerOf(transcript)).map((part) => part.text),
      ["I look.", "It adds."],
    );
    assert.deepEqual(resumed.reduce(reduceTranscript, before), transcript);
  });

  it("cannot be resumed if another turn follows", () => {
    const followed = reduce([
      ...answer,
      { type: "answer-ended", state: { kind: "stopped" } },
      asked("q2", "a1"),
    ]);
    assert.ok(!isResumable(followed, "a1"));
  });

  it("add up the tokens of all requests", () => {
    const second: TranscriptEvent = { type: "usage", usage: { inputTokens: 20, outputTokens: 3 } };
    const { usage, earlierUsage } = answerOf(
      reduce([
        ...answer.slice(0, 4),
        { type: "usage", usage: { inputTokens: 10, outputTokens: 2 } },
        stepEnded,
        second,
        second,
        completed,
      ]),
    );
    assert.deepEqual(
      [usage, earlierUsage],
      [
        { inputTokens: 30, outputTokens: 5 },
        { inputTokens: 10, outputTokens: 2 },
      ],
    );
  });

  it("contain no key, in arguments, results, messages and text before a call", async () => {
    const key = fakeKey("in-steps-0123456789");
    const keys = new KnownKeys({
      list: () =>
        Promise.resolve([
          { connectionName: "Acme", variable: "KEY", key: new ApiKey(key, sealFor("https://h.example")) },
        ]),
    });
    await keys.read();
    const redactor = new StreamRedactor(keys);
    const events: readonly TranscriptEvent[] = [
      asked("q1", null),
      started("a1", "q1"),
      text(`The key is ${key.slice(0, 10)}`),
      text(key.slice(10)),
      {
        ...stepEnded,
        calls: [
          {
            type: "tool-call",
            id: "c1",
            name: "search_text",
            arguments: { kind: "object", value: { query: key } },
          },
        ],
        outline: [{ type: "reasoning", form: "thinking", text: key, signature: "s" }],
      },
      settled(0, `found ${key}`),
      {
        type: "message-added",
        message: {
          by: "user",
          text: key,
          attachments: [{ ...attachment, name: key, content: { type: "text", text: key, language: "" } }],
        },
      },
      completed,
    ];
    const written = redactor.redact(events);
    assert.ok(!JSON.stringify(written).includes(key));
    assert.deepEqual(
      written.map(({ type }) => type).filter((type) => type === "text-delta" || type === "step-ended"),
      ["text-delta", "text-delta", "step-ended"],
    );
  });

  it("are exported as JSON and imported with all results", () => {
    const original = conversation(reduce([...answer, completed]));
    const imported = convertJsonToConversation(convertConversationToJson(original)) ?? assert.fail();
    assert.deepEqual(imported.transcript, original.transcript);
    const { turns, leafId } = imported.transcript;
    const replayed = convertTurnsToEvents(turns, leafId).reduce(reduceTranscript, emptyTranscript);
    assert.deepEqual(partsOf(answerOf(replayed)), partsOf(answerOf(original.transcript)));
  });

  it("are imported with arguments that are nested too deep as invalid arguments", () => {
    const file = convertConversationToJson(conversation(reduce([...answer, completed])));
    const nested = `${'{"a":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    const imported = convertJsonToConversation(file.replace('"a.ts"', nested)) ?? assert.fail();
    const [call] = answerOf(imported.transcript).steps?.[0]?.calls ?? [];
    assert.equal(call?.arguments.kind, "invalid");
    assert.match(convertConversationToMarkdown(imported, "Title"), /nested more than 100 levels deep/);
  });

  it("are exported without reasoning if asked", () => {
    const bare = withoutReasoning(conversation(reduce([...answer, completed])));
    assert.doesNotMatch(convertConversationToJson(bare), /Hm/);
    assert.deepEqual(
      partsOf(answerOf(bare.transcript)).map((part) => part.text),
      ["I look.", "It adds."],
    );
  });

  it("keep the origin of the answer, also without reasoning", () => {
    const [question, begun, ...rest] = answer;
    assert.ok(question !== undefined && begun?.type === "answer-started");
    const turn = { ...begun.turn, origin: "https://api.example" };
    const transcript = stored(question, { ...begun, turn }, ...rest, completed);
    assert.equal(answerOf(transcript).origin, "https://api.example");
    const whole = convertJsonToConversation(convertConversationToJson(conversation(transcript)));
    assert.deepEqual(whole?.transcript, transcript);
    const bare = convertConversationToJson(withoutReasoning(conversation(transcript)));
    const imported = convertJsonToConversation(bare) ?? assert.fail();
    assert.equal(answerOf(imported.transcript).origin, "https://api.example");
  });

  it("are exported as Markdown with a short line for each call", () => {
    const markdown = convertConversationToMarkdown(conversation(reduce([...answer, completed])), "Title");
    assert.match(
      markdown,
      /I look\.\n\n- Tool read_file `\{"path":"a\.ts"\}`: done\n- Tool list_folder `\{\}`: done\n\n> and b\.ts\n> \(attached: b\.ts\)\n\nIt adds\./,
    );
    assert.doesNotMatch(markdown, /the contents|the text of b/);
    assert.ok(convertMarkdownToConversation(markdown, () => "id") !== undefined);
  });
});
