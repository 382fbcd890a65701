import assert from "node:assert/strict";
import fc from "fast-check";
import {
  convertConversationToJson,
  convertJsonToConversation,
  convertTurnsToEvents,
  type PortableConversation,
} from "../../../../../src/chat/history/export/portableConversation.ts";
import {
  convertConversationToMarkdown,
  convertMarkdownToConversation,
} from "../../../../../src/chat/history/export/conversationMarkdown.ts";
import { sentTurns } from "../../../../../src/chat/transcript/sentTurns.ts";
import {
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../../../../../src/chat/transcript/transcript.ts";
import { ApiKey } from "../../../../../src/client/key/apiKey.ts";
import { KnownKeys } from "../../../../../src/editor/chat/knownKeys.ts";
import type { ToolCall } from "../../../../../src/protocol/conversation/conversation.ts";
import type { Fields } from "../../../../../src/protocol/conversation/json.ts";
import { readToolArguments } from "../../../../../src/protocol/conversation/toolCalls.ts";
import { fakeKey } from "../../../service/fixture.ts";
import {
  anyEvents,
  keyless,
  openTestStore,
  removeTestStores,
  textsOf,
  writeConversation as write,
} from "../sampleConversation.ts";
import { abandoned, asked, exchange, reduce, started, text } from "../../transcript/sampleEvents.ts";
import { sealFor } from "../../../../support/sealFor.ts";

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

/** Names with line breaks, Markdown marks, and the marks of an export. */
const anyName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r",
        "\r\n",
        "\u2028",
        "\u2029",
        "\u0085",
        "\v",
        "\f",
        " ",
        "\t",
        "\\",
        "#",
        "`",
      ),
      fc.constantFrom(
        "# ",
        "## You",
        "<!-- inference-chat:answer {} -->",
        "<!-- inference-chat:",
        " -->",
        "-->",
        ">",
      ),
      fc.constantFrom("\ud800", "\udc00", "\u0000", "\ufeff", '"', "${x}", "$&", "名前", "😀"),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

const names = {
  prompt: anyName.map((name) => name.slice(0, 64)),
  path: anyName,
  attached: anyName,
  connection: anyName,
  model: anyName,
  text: anyName,
};

/** A question with a prompt and an attachment, and its answer. */
function namedTranscript(facts: Readonly<Record<keyof typeof names, string>>): Transcript {
  const { prompt, path, attached, connection, model, text: words } = facts;
  const attachment = { id: "n", kind: "text", name: attached, detail: "", characters: 0 } as const;
  const [question, answer, ...rest] = exchange("1", null, words);
  if (question?.type !== "question-asked" || answer?.type !== "answer-started") return assert.fail();
  return reduce([
    {
      ...question,
      turn: {
        ...question.turn,
        text: words,
        prompt: { name: prompt, text: words, place: { path } },
        attachments: [attachment],
      },
    },
    { ...answer, turn: { ...answer.turn, connection, model } },
    ...rest,
  ]);
}

function toolCall(name: string, given: Fields): ToolCall {
  return { type: "tool-call", id: "call", name, arguments: readToolArguments(given) };
}

/** An answer of Agent mode, whose changes the user has kept. */
const agentEvents: readonly TranscriptEvent[] = [
  asked("q1", null),
  started("a1", "q1"),
  text("I work."),
  {
    type: "step-ended",
    outline: [],
    calls: [
      toolCall("edit_file", { path: "src/a.ts", oldText: "a", newText: "b" }),
      toolCall("create_file", { path: "src/b.ts", content: "long" }),
      toolCall("run_command", { purpose: "Test", command: "npm test\n  && echo `x`" }),
      toolCall("run_command", { command: "npm start" }),
      toolCall("read_file", { path: "src/a.ts" }),
    ],
  },
  ...(
    [
      { outcome: "done", facts: { path: "src/a.ts", added: 2, removed: 1 } },
      { outcome: "denied" },
      { outcome: "done", facts: { exitCode: 1 } },
      { outcome: "done", facts: { isInBackground: true } },
      { outcome: "done" },
    ] as const
  ).map((result, call): TranscriptEvent => ({ type: "call-settled", call, result: { text: "", ...result } })),
  text("Done."),
  { type: "answer-ended", state: { kind: "complete", reason: "stop" } },
  { type: "changes-settled", turnId: "a1", state: "kept" },
];

describe("export and import", () => {
  afterEach(removeTestStores);

  it("loses nothing in JSON", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = portable(abandoned(events));
        const json = convertConversationToJson(conversation);
        assert.deepEqual(convertJsonToConversation(json), conversation);
      }),
      { numRuns: 500 },
    );
  });

  it("converts turns to events that produce the same turns", () => {
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

  it("writes readable Markdown", () => {
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

  it("keeps the files and commands of an answer, and what the user did with its changes", () => {
    const written = reduce(agentEvents);
    assert.deepEqual(reduce(convertTurnsToEvents(written.turns, written.leafId)), written);
    assert.deepEqual(
      convertJsonToConversation(convertConversationToJson(portable(written))),
      portable(written),
    );
  });

  it("writes edits and commands as short lines of Markdown", () => {
    const markdown = convertConversationToMarkdown(portable(reduce(agentEvents)), "Title");
    assert.deepEqual(
      markdown.split("\n").filter((line) => line.startsWith("- ")),
      [
        "- Tool edit_file `src/a.ts`: done (+2 -1)",
        "- Tool create_file `src/b.ts`: denied",
        "- Tool run_command `npm test && echo 'x'`: done (exit code 1)",
        "- Tool run_command `npm start`: done (in the background)",
        '- Tool read_file `{"path":"src/a.ts"}`: done',
      ],
    );
  });

  it("restores the texts of the visible branch from Markdown exactly", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = portable(abandoned(events));
        const read = importMarkdown(convertConversationToMarkdown(conversation, "Title"));
        const branch = visibleTurns(conversation.transcript);
        const first = branch.findIndex(({ kind }) => kind === "question");
        // An answer without its question can't be requested again, so the import leaves it out.
        assert.deepEqual(
          read?.transcript.turns.map(({ kind, text: words }) => [kind, words]),
          (first === -1 ? [] : branch.slice(first)).map(({ kind, text: words }) => [kind, words]),
        );
        assert.equal(read?.title, conversation.title);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps in Markdown whether later requests include a question with a failed answer", () => {
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

  it("keeps in Markdown where an answer came from", () => {
    const transcript = reduce(exchange("1", null, "Yes"));
    const turns = transcript.turns.map((turn) =>
      turn.kind === "answer" ? { ...turn, origin: "https://one.example" } : turn,
    );
    const conversation = portable({ ...transcript, turns });
    const answers = importMarkdown(convertConversationToMarkdown(conversation, "Title"))?.transcript.turns;
    const [answer, read] = [turns[1], answers?.[1]];
    assert.ok(answer?.kind === "answer" && read?.kind === "answer");
    const { connection, origin, model, clientStyle, at } = answer;
    assert.deepEqual(
      [read.connection, read.origin, read.model, read.clientStyle, read.at],
      [connection, origin, model, clientStyle, at],
    );
  });

  it("restores titles and names from Markdown exactly", () => {
    fc.assert(
      fc.property(fc.record({ title: fc.option(anyName), ...names }), ({ title, ...facts }) => {
        const conversation = { ...portable(namedTranscript(facts)), title };
        const heading = title ?? facts.text;
        const read = importMarkdown(convertConversationToMarkdown(conversation, heading));
        assert.equal(read?.title, title);
        const [question, answer] = read?.transcript.turns ?? [];
        assert.ok(question?.kind === "question" && answer?.kind === "answer");
        assert.deepEqual(
          [question.prompt?.name, question.prompt?.text, question.prompt?.place?.path, question.text],
          [facts.prompt, facts.text, facts.path, facts.text],
        );
        assert.deepEqual([answer.connection, answer.model], [facts.connection, facts.model]);
        assert.equal(read?.transcript.turns.length, 2);
      }),
      { numRuns: 3000 },
    );
  });

  it("writes titles and names on one line, whatever line breaks they contain", () => {
    const hostile = "a\n# b\r\nc\u2028d\u2029e\u0085f\vg\fh";
    const facts = {
      prompt: hostile,
      path: hostile,
      attached: hostile,
      connection: "c",
      model: "m",
      text: "x",
    };
    const markdown = convertConversationToMarkdown(portable(namedTranscript(facts)), hostile);
    const lines = markdown.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
    assert.deepEqual(
      lines.filter((line) => line.startsWith("#")),
      [
        "# a # b c d e f g h",
        "## You (prompt: a # b c d e f g h; attached: a # b c d e f g h)",
        "## Assistant",
      ],
    );
    assert.equal(lines.filter((line) => line.startsWith("<!-- inference-chat:")).length, 3);
    assert.equal(lines.length, 13, markdown);
  });

  it("reads earlier exports with a line separator in the title", () => {
    const markdown = convertConversationToMarkdown(portable(whole), "Title");
    const earlier = markdown.replace('"title":"A --\\u003e title"', '"title":"A\u2028title"');
    assert.notEqual(earlier, markdown);
    assert.equal(importMarkdown(earlier)?.title, "A\u2028title");
  });

  it("reads Markdown with CRLF line endings", () => {
    const markdown = convertConversationToMarkdown(portable(whole), "Title");
    const read = importMarkdown(markdown.replaceAll("\n", "\r\n"));
    assert.deepEqual(
      read?.transcript.turns.map((turn) => turn.text),
      whole.turns.map((turn) => turn.text),
    );
  });

  it("never throws for damaged text", () => {
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

  it("imports nothing that is too large to read back", async () => {
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

  it("redacts keys that were stored after the chat was written", async () => {
    const { store } = await openTestStore();
    const value = fakeKey("exported-late");
    const id = await write(store, [asked("q1", null, `uses ${value}`), ...exchange("2", "q1", value)]);
    await store.rename(id, `About ${value}`);
    const known = new KnownKeys({
      list: async () => [
        {
          connectionName: "Acme",
          variable: "ACME_KEY",
          key: new ApiKey(value, sealFor("https://service.example")),
        },
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
