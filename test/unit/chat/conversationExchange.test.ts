import assert from "node:assert/strict";
import fc from "fast-check";
import { convertConversationToJson, convertJsonToConversation } from "../../../src/chat/conversationJson.ts";
import { convertConversationToMarkdown } from "../../../src/chat/conversationMarkdown.ts";
import { convertTurnsToEvents } from "../../../src/chat/convertTurnsToEvents.ts";
import { convertMarkdownToConversation } from "../../../src/chat/markdownImport.ts";
import type { PortableConversation } from "../../../src/chat/portableConversation.ts";
import { sentTurns } from "../../../src/chat/sentTurns.ts";
import {
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../../../src/chat/transcript.ts";
import { ApiKey } from "../../../src/client/apiKey.ts";
import { KnownKeys } from "../../../src/editor/chat/knownKeys.ts";
import { fakeKey } from "../service/fixture.ts";
import {
  anyEvents,
  keyless,
  openTestStore,
  removeTestStores,
  textsOf,
  writeConversation as write,
} from "./sampleConversation.ts";
import { abandoned, asked, exchange, reduce, started, text } from "./sampleEvents.ts";

const createdAt = "2026-01-01T00:00:00.000Z";

const portable = (transcript: Transcript): PortableConversation => ({
  title: "A --> title",
  pinned: true,
  createdAt,
  transcript,
});

const textsSent = (turns: readonly Turn[]): readonly string[] => sentTurns(turns).map((turn) => turn.text);

let ids = 0;
const importMarkdown = (markdown: string): PortableConversation | undefined =>
  convertMarkdownToConversation(markdown, () => `new-${(ids += 1)}`);

const whole = reduce([
  ...exchange("1", null, "# Heading\n\n```ts\ncode\n```\n"),
  ...exchange("2", "a1", "second\n\n"),
]);

describe("export and import", () => {
  afterEach(removeTestStores);

  it("loses nothing by JSON", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = portable(abandoned(events));
        const json = convertConversationToJson(conversation);
        assert.deepEqual(convertJsonToConversation(json), conversation);
      }),
      { numRuns: 500 },
    );
  });

  it("makes of turns the events that make the turns", () => {
    const branched = reduce([
      ...exchange("1", null),
      asked("q2", "a1"),
      started("a2", "q2"),
      { type: "reasoning-delta", text: "because" },
      text("two"),
      { type: "usage", usage: { inputTokens: 1 } },
      { type: "request-id", requestId: "req_1" },
      { type: "answer-ended", state: { kind: "interrupted" } },
      ...exchange("3", "a1"),
      { type: "version-selected", turnId: "q2" },
    ]);
    assert.deepEqual(reduce(convertTurnsToEvents(branched.turns, branched.leafId)), branched);
  });

  it("is Markdown that a person reads", () => {
    const transcript = reduce([
      ...exchange("1", null, "Text."),
      asked("q2", "a1", "More?"),
      started("a2", "q2"),
      text("Ha"),
      { type: "answer-ended", state: { kind: "stopped" } },
    ]);
    const lines = convertConversationToMarkdown(portable(transcript), "Title").split("\n");
    const visible = lines.filter((line) => !/^<!--(?:(?!-->).)*-->$/.test(line));
    assert.equal(
      visible.join("\n"),
      "# Title\n\n## You\n\nquestion q1\n\n## Assistant\n\nText.\n\n## You\n\nMore?\n\n## Assistant (stopped)\n\nHa\n",
    );
  });

  it("brings back the texts of the branch by Markdown, exactly", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = portable(abandoned(events));
        const read = importMarkdown(convertConversationToMarkdown(conversation, "Title"));
        const branch = visibleTurns(conversation.transcript);
        const first = branch.findIndex(({ kind }) => kind === "question");
        // An answer whose question is not known cannot be asked again; it is left out.
        assert.deepEqual(
          read?.transcript.turns.map(({ kind, text: words }) => [kind, words]),
          (first === -1 ? [] : branch.slice(first)).map(({ kind, text: words }) => [kind, words]),
        );
        assert.equal(read?.title, conversation.title);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps by Markdown that a question is left out, or included, although its answer failed", () => {
    const diagnosis = {
      cause: "context-length",
      title: "Too long",
      explanation: "",
      evidence: [],
      actions: [],
    } as const;
    const failed: TranscriptEvent = { type: "answer-ended", state: { kind: "failed", diagnosis } };
    const transcript = reduce([
      asked("q1"),
      started("a1", "q1"),
      failed,
      asked("q2", "a1"),
      started("a2", "q2"),
      failed,
      { type: "question-included", turnId: "q2", included: true },
      ...exchange("3", "a2"),
      asked("q4", "a3"),
    ]);
    const read = importMarkdown(convertConversationToMarkdown(portable(transcript), "Title"));
    assert.deepEqual(textsSent(read?.transcript.turns ?? []), textsSent(visibleTurns(transcript)));
    assert.ok(!textsSent(transcript.turns).includes("question q1"));
    assert.ok(textsSent(transcript.turns).includes("question q2"));
  });

  it("reads Markdown whose lines got other ends", () => {
    const markdown = convertConversationToMarkdown(portable(whole), "Title");
    const read = importMarkdown(markdown.replaceAll("\n", "\r\n"));
    assert.deepEqual(
      read?.transcript.turns.map((turn) => turn.text),
      whole.turns.map((turn) => turn.text),
    );
  });

  it("takes any text without a throw", () => {
    const json = convertConversationToJson(portable(whole));
    const markdown = convertConversationToMarkdown(portable(whole), "Title");
    fc.assert(
      fc.property(
        fc.constantFrom(json, markdown),
        fc.nat(),
        fc.nat(40),
        fc.string(),
        (text_, at, cut, more) => {
          const place = at % text_.length;
          const damaged = text_.slice(0, place) + more + text_.slice(place + cut);
          convertJsonToConversation(damaged);
          importMarkdown(damaged);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("imports nothing that it could not read back", async () => {
    const { store } = await openTestStore();
    const notes = { id: "a", kind: "text", name: "notes", detail: "", characters: 5 } as const;
    const attachments = [{ ...notes, content: { type: "text", text: "notes here", language: "" } }] as const;
    const [question, ...answer] = exchange("1", null, "the answer");
    if (question?.type !== "question-asked") return assert.fail();
    const id = await write(store, [{ ...question, turn: { ...question.turn, attachments } }, ...answer]);
    const json = (await store.exportConversation(id, "json", keyless)) ?? assert.fail();
    const markdown = (await store.exportConversation(id, "markdown", keyless)) ?? assert.fail();
    const long = "x".repeat(161 * 1024 * 1024);
    assert.equal(
      await store.importConversation(json.replace("notes here", long), "json", keyless),
      undefined,
    );
    const longText = "x".repeat(17 * 1024 * 1024);
    assert.equal(
      await store.importConversation(markdown.replace("the answer", longText), "markdown", keyless),
      undefined,
    );
    assert.equal((await store.list()).length, 1);
  });

  it("takes keys out that were stored after they were written", async () => {
    const { store } = await openTestStore();
    const value = fakeKey("exported-late");
    const id = await write(store, [asked("q1", null, `uses ${value}`), ...exchange("2", "q1", value)]);
    await store.rename(id, `About ${value}`);
    const known = new KnownKeys({
      list: async () => [
        { connectionName: "Acme", variable: "ACME_KEY", key: new ApiKey(value, "https://service.example") },
      ],
    });
    await known.read();
    for (const format of ["json", "markdown"] as const) {
      const exported = (await store.exportConversation(id, format, known)) ?? assert.fail();
      assert.match(exported, /uses \[API key\]/);
      assert.ok(!exported.includes(value), format);
      const raw = (await store.exportConversation(id, format, keyless)) ?? assert.fail();
      const imported = (await store.importConversation(raw, format, known)) ?? assert.fail();
      const stored = (await store.open(imported)) ?? assert.fail();
      assert.match(Object.values(textsOf(stored))[0] ?? "", /uses \[API key\]/);
      assert.ok(!JSON.stringify(stored).includes(value), format);
    }
  });
});
