/** Measures one reader of generated streams in its own process: `ours`, an official client, or `JSON.parse`. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createInMemoryClient } from "./inMemoryClient.ts";
import { serveRuns } from "./contenders.ts";
import { type StreamedAnswer, writeStreamedAnswer } from "./streamedAnswer.ts";
import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";

const [, , name = "", style = "", events = ""] = process.argv;
const clientStyle: ClientStyle = style === "messages" ? "messages" : "chat-completions";
const answer = writeStreamedAnswer(clientStyle, Number(events));
const read = readers()[name]?.(answer);
if (read === undefined) throw new Error(`Unknown reader: ${name}`);

serveRuns(async () => {
  const before = process.cpuUsage();
  const characters = await read();
  const { user, system } = process.cpuUsage(before);
  const { length } = answer.text;
  if (name !== "JSON.parse" && characters !== length)
    throw new Error(`${name} read ${characters} of ${length} characters`);
  return { microseconds: (user + system) / Number(events) };
});

/**
 * Reads the answer again and returns the number of its characters. `JSON.parse` returns the number of events.
 * Reuses the client: creating one is not decoding.
 */
type Read = () => Promise<number>;

function readers(): Readonly<Record<string, (answer: StreamedAnswer) => Read>> {
  return { ours, openai, anthropic, "JSON.parse": parse };
}

function ours({ reads }: StreamedAnswer): Read {
  const client = createInMemoryClient(reads);
  const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };
  const { signal } = new AbortController();
  return async () => {
    let characters = 0;
    for await (const parts of client.streamChat(clientStyle, request, signal)) {
      for (const part of parts) if (part.type === "text-delta") characters += part.text.length;
    }
    return characters;
  };
}

function openai({ reads }: StreamedAnswer): Read {
  const client = new OpenAI({
    apiKey: "test-not-a-key",
    baseURL: "http://127.0.0.1:9/v1",
    fetch: fetchOf(reads),
  });
  return async () => {
    const request = { model: "service-core", stream: true } as const;
    let characters = 0;
    for await (const chunk of await client.chat.completions.create({ ...request, messages: [] }))
      characters += chunk.choices[0]?.delta.content?.length ?? 0;
    return characters;
  };
}

function anthropic({ reads }: StreamedAnswer): Read {
  const client = new Anthropic({
    authToken: "test-not-a-key",
    baseURL: "http://127.0.0.1:9",
    fetch: fetchOf(reads),
  });
  return async () => {
    const request = { model: "service-core", max_tokens: 100, stream: true } as const;
    let characters = 0;
    for await (const event of await client.messages.create({ ...request, messages: [] })) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta")
        characters += event.delta.text.length;
    }
    return characters;
  };
}

function parse({ payloads }: StreamedAnswer): Read {
  return async () => {
    let parsed = 0;
    for (const payload of payloads) if (JSON.parse(payload) !== null) parsed += 1;
    return parsed;
  };
}

/**
 * `Response` needs a web stream. Its cost counts for the official client, as the cost of a Node stream counts for
 * ours.
 */
function fetchOf(reads: readonly Uint8Array[]): () => Promise<Response> {
  return async () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const bytes = reads[next];
        next += 1;
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}
