import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";

/** Bytes per read from the network, as Node delivers them. */
const readSize = 16 * 1024;

const encoder = new TextEncoder();

/** A streamed answer as a service writes it, and the text that a reader must find in it. */
export interface StreamedAnswer {
  readonly reads: readonly Uint8Array[];
  /** The JSON of each event with text. */
  readonly payloads: readonly string[];
  readonly text: string;
}

/** Creates events of about 250 bytes, each with a few words of the answer (`wire.md`, "Streams"). */
export function writeStreamedAnswer(style: ClientStyle, events: number): StreamedAnswer {
  const words = answerWords(style, events);
  const payloads = words.map((word) => JSON.stringify(style === "messages" ? delta(word) : chunk(word)));
  const [head, tail] = style === "messages" ? messageEnds : chatEnds;
  const body = payloads.map((payload) => event(style, payload)).join("");
  return { reads: cut(encoder.encode(head + body + tail)), payloads, text: words.join("") };
}

/** Returns the number of bytes in such an answer. */
export function bytesOfAnswer(style: ClientStyle, events: number): number {
  return writeStreamedAnswer(style, events).reads.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the text of each event. */
export function answerWords(style: ClientStyle, events: number): readonly string[] {
  return Array.from({ length: events }, (_, index) => wordsOf(style, index));
}

/** Events of the Messages style have fewer other fields, so their text is longer. */
function wordsOf(style: ClientStyle, index: number): string {
  const word = `word ${index} "quoted" `;
  return style === "messages" ? word.repeat(6) : word;
}

function chunk(content: string): object {
  return {
    id: "chatcmpl-0123456789abcdef",
    object: "chat.completion.chunk",
    created: 1_760_000_000,
    model: "service-core",
    system_fingerprint: "fp_0123456789",
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  };
}

function delta(text: string): object {
  return { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
}

function event(style: ClientStyle, payload: string): string {
  return style === "messages" ? `event: content_block_delta\ndata: ${payload}\n\n` : `data: ${payload}\n\n`;
}

const finish = { ...chunk(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const chatEnds = ["", `data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`] as const;

function named(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

const start = {
  message: {
    id: "msg_0123456789abcdef",
    type: "message",
    role: "assistant",
    model: "service-core",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  },
};
const messageEnds = [
  named("message_start", start) +
    named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  named("content_block_stop", { index: 0 }) +
    named("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20_000 } }) +
    named("message_stop", {}),
] as const;

function cut(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / readSize);
  return Array.from({ length: count }, (_, index) => bytes.slice(index * readSize, (index + 1) * readSize));
}
