import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import OpenAI from "openai";
import type { StreamPart, Usage } from "../../../../src/protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";
import { readAnswer } from "../../../../src/client/answer/answer.ts";
import { fakeKey } from "../../service/fixture.ts";
import { streamOf } from "./streamOf.ts";

/** An answer as a client reads it. Arguments are parsed, so spaces in the JSON don't matter. */
interface Read {
  readonly text: string;
  readonly calls: readonly (readonly [id: string, name: string, input: unknown])[];
  readonly stop: string | null;
  readonly input: number;
  readonly output: number;
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** Lengths of the argument pieces, in UTF-16 code units. */
  readonly cuts: readonly number[];
}

/** An answer and its wire format. */
interface Answer {
  readonly texts: readonly string[];
  readonly calls: readonly Call[];
  readonly input: number;
  readonly output: number;
  /** Whether the pieces of the calls alternate. */
  readonly interleaved: boolean;
  /** Messages style: whether blocks stop before their pieces, and whether their start has the whole input. */
  readonly stopsFirst: boolean;
  readonly wholeInput: boolean;
  /** Chat Completions style: whether each piece repeats the ID and name of its call. */
  readonly repeatsNames: boolean;
  readonly lineEnd: "\n" | "\r\n";
  readonly comments: boolean;
  /** Lengths of the network reads, in bytes. */
  readonly reads: readonly number[];
}

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const answers: fc.Arbitrary<Answer> = fc.record({
  // The official clients read a leading reasoning tag as text, so these texts have no tag.
  texts: fc.array(
    word.filter((text) => !text.includes("<")),
    { maxLength: 6 },
  ),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("read_file", "search", "run"),
      input: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(word, fc.integer(), fc.boolean()), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      cuts: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }),
    }),
    { maxLength: 3 },
  ),
  input: fc.integer({ min: 1, max: 100_000 }),
  output: fc.integer({ min: 1, max: 100_000 }),
  interleaved: fc.boolean(),
  stopsFirst: fc.boolean(),
  wholeInput: fc.boolean(),
  repeatsNames: fc.boolean(),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  comments: fc.boolean(),
  reads: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 20 }),
});

/** Splits a text into pieces of these lengths, plus the rest. */
function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const length of [...lengths, text.length]) {
    if (from >= text.length) break;
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

interface Piece {
  readonly index: number;
  readonly text: string;
}

/** Argument pieces of all calls, in the order of the stream. */
function piecesOf({ calls, interleaved }: Answer): readonly Piece[] {
  const all = calls.map(({ input, cuts }, index) =>
    cut(JSON.stringify(input), cuts).map((text) => ({ index, text })),
  );
  if (!interleaved) return all.flat();
  const longest = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => all.flatMap((pieces) => pieces[turn] ?? [])).flat();
}

const chunk = (choice: object, more: object = {}): object => ({
  id: "c-1",
  object: "chat.completion.chunk",
  created: 1_760_000_000,
  model: "service-core",
  choices: [{ index: 0, finish_reason: null, ...choice }],
  ...more,
});

function chatEvents(answer: Answer): readonly object[] {
  const { calls, texts, input, output } = answer;
  return [
    chunk({ delta: { role: "assistant", content: "" } }),
    ...texts.map((content) => chunk({ delta: { content } })),
    ...calls.map(({ name }, index) => {
      const called = { index, id: `call_${index}`, type: "function", function: { name, arguments: "" } };
      return chunk({ delta: { tool_calls: [called] } });
    }),
    ...piecesOf(answer).map(({ index, text }) => {
      const named = { index, id: `call_${index}`, function: { name: calls[index]?.name, arguments: text } };
      const called = answer.repeatsNames ? named : { index, function: { arguments: text } };
      return chunk({ delta: { tool_calls: [called] } });
    }),
    chunk({ delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    },
  ];
}

const start = (index: number, content_block: object): object => ({
  type: "content_block_start",
  index,
  content_block,
});
const add = (index: number, delta: object): object => ({ type: "content_block_delta", index, delta });
const stop = (index: number): object => ({ type: "content_block_stop", index });

function messageEvents(answer: Answer): readonly object[] {
  const { calls, texts, input, output, stopsFirst, wholeInput } = answer;
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "service-core",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: 1 },
  };
  const first = texts.length === 0 ? 0 : 1;
  const stops = calls.map((_call, index) => stop(first + index));
  return [
    { type: "message_start", message },
    ...(first === 0 ? [] : [start(0, { type: "text", text: "" })]),
    ...texts.map((text) => add(0, { type: "text_delta", text })),
    ...(first === 0 ? [] : [stop(0)]),
    ...calls.map((call, index) => {
      const { name } = call;
      const whole = wholeInput ? call.input : {};
      return start(first + index, { type: "tool_use", id: `call_${index}`, name, input: whole });
    }),
    ...(stopsFirst ? stops : []),
    ...piecesOf(answer).map(({ index, text }) =>
      add(first + index, { type: "input_json_delta", partial_json: text }),
    ),
    ...(stopsFirst ? [] : stops),
    {
      type: "message_delta",
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: "message_stop" },
  ];
}

function write(answer: Answer, style: ClientStyle): Uint8Array {
  const { lineEnd, comments } = answer;
  const end = lineEnd + lineEnd;
  const comment = comments ? `: keep-alive${end}` : "";
  const events = style === "messages" ? messageEvents(answer) : chatEvents(answer);
  const text = events
    .map((event) => {
      const name = "type" in event ? `event: ${String(event.type)}${lineEnd}` : "";
      return `${comment}${name}data: ${JSON.stringify(event)}${end}`;
    })
    .join("");
  return new TextEncoder().encode(text + (style === "messages" ? "" : `data: [DONE]${end}`));
}

function* cutBytes(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (const length of [...lengths, bytes.length]) {
    if (from >= bytes.length) return;
    yield bytes.subarray(from, from + length);
    from += length;
  }
}

async function readByUs(pieces: readonly Uint8Array[], style: ClientStyle): Promise<Read> {
  const parts: StreamPart[] = [];
  const headers = { "content-type": "text/event-stream" };
  const answer = { status: 200, headers, body: streamOf(pieces) };
  for await (const batch of readAnswer(wireStyles[style], answer)) parts.push(...batch);
  const usage: Usage = parts.findLast((part) => part.type === "usage")?.usage ?? {};
  return {
    text: parts.map((part) => (part.type === "text-delta" ? part.text : "")).join(""),
    calls: parts
      .filter((part) => part.type === "tool-call")
      .map(({ id, name, arguments: given }) => [
        id,
        name,
        given.kind === "object" ? given.value : given.text,
      ]),
    stop: parts.findLast((part) => part.type === "finish")?.wireReason ?? null,
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
  };
}

/** A `fetch` that answers every request with these pieces. */
const answering =
  (pieces: readonly Uint8Array[]): typeof fetch =>
  async () =>
    new Response(bodyOf(pieces), { headers: { "content-type": "text/event-stream" } });

function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => {
      for (const piece of pieces) body.enqueue(piece);
      body.close();
    },
  });
}

const settings = { apiKey: fakeKey("official"), maxRetries: 0 };
const ask = { model: "service-core", max_tokens: 9 };
const question = { role: "user", content: "?" } as const;

async function readByOpenAi(pieces: readonly Uint8Array[]): Promise<Read> {
  const client = new OpenAI({ ...settings, baseURL: "http://127.0.0.1/v1", fetch: answering(pieces) });
  const stream = client.chat.completions.stream({
    ...ask,
    messages: [question],
    stream_options: { include_usage: true },
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const [choice] = choices;
  assert.ok(choice !== undefined);
  return {
    text: choice.message.content ?? "",
    calls: (choice.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function"
        ? [[call.id, call.function.name, JSON.parse(call.function.arguments)] as const]
        : [],
    ),
    stop: choice.finish_reason,
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
  };
}

async function readByAnthropic(pieces: readonly Uint8Array[]): Promise<Read> {
  const client = new Anthropic({ ...settings, baseURL: "http://127.0.0.1", fetch: answering(pieces) });
  const message = await client.messages.stream({ ...ask, messages: [question] }).finalMessage();
  return {
    text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: message.content.flatMap((block) =>
      block.type === "tool_use" ? [[block.id, block.name, block.input] as const] : [],
    ),
    stop: message.stop_reason,
    input: message.usage.input_tokens,
    output: message.usage.output_tokens,
  };
}

describe("comparison with the official clients", () => {
  const readers = { "chat-completions": readByOpenAi, messages: readByAnthropic } as const;
  for (const style of ["chat-completions", "messages"] as const) {
    it(`finds the same text, calls, token counts, and stop reason: ${style}`, async () => {
      await fc.assert(
        fc.asyncProperty(answers, async (answer) => {
          const pieces = [...cutBytes(write(answer, style), answer.reads)];
          assert.deepEqual(await readByUs(pieces, style), await readers[style](pieces));
        }),
      );
    });
  }
});
