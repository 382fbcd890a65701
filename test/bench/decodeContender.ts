/** One reader of recorded streams, measured in its own process: `ours`, a client, or the limit. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createInMemoryClient } from "./inMemoryClient.ts";
import { serveRuns } from "./contenders.ts";
import { type StreamedAnswer, writeStreamedAnswer } from "./streamedAnswer.ts";
import type { ClientStyle } from "../../src/protocol/wireStyle.ts";

const [, , name = "", style = "", events = ""] = process.argv;
const clientStyle: ClientStyle = style === "messages" ? "messages" : "chat-completions";
const answer = writeStreamedAnswer(clientStyle, Number(events));
const read = readers()[name];
if (read === undefined) throw new Error(`No reader is called ${name}`);

serveRuns(async () => {
  const before = process.cpuUsage();
  const characters = await read(answer);
  const { user, system } = process.cpuUsage(before);
  const { length } = answer.text;
  if (name !== "JSON.parse" && characters !== length)
    throw new Error(`${name} read ${characters} of ${length} characters`);
  return { microseconds: (user + system) / Number(events) };
});

function readers(): Readonly<Record<string, (answer: StreamedAnswer) => Promise<number>>> {
  return {
    ours: readByOurs,
    openai: readByOpenai,
    anthropic: readByAnthropic,
    "JSON.parse": parseOnly,
  };
}

async function readByOurs({ reads }: StreamedAnswer): Promise<number> {
  const client = createInMemoryClient(reads);
  const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };
  const { signal } = new AbortController();
  let characters = 0;
  for await (const parts of client.streamChat(clientStyle, request, signal)) {
    for (const part of parts) if (part.type === "text-delta") characters += part.text.length;
  }
  return characters;
}

async function readByOpenai({ reads }: StreamedAnswer): Promise<number> {
  const client = new OpenAI({
    apiKey: "test-not-a-key",
    baseURL: "http://127.0.0.1:9/v1",
    fetch: fetchOf(reads),
  });
  const stream = await client.chat.completions.create({ model: "service-core", messages: [], stream: true });
  let characters = 0;
  for await (const chunk of stream) characters += chunk.choices[0]?.delta.content?.length ?? 0;
  return characters;
}

async function readByAnthropic({ reads }: StreamedAnswer): Promise<number> {
  const client = new Anthropic({
    authToken: "test-not-a-key",
    baseURL: "http://127.0.0.1:9",
    fetch: fetchOf(reads),
  });
  const stream = await client.messages.create({
    model: "service-core",
    max_tokens: 100,
    messages: [],
    stream: true,
  });
  let characters = 0;
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta")
      characters += event.delta.text.length;
  }
  return characters;
}

async function parseOnly({ payloads }: StreamedAnswer): Promise<number> {
  let parsed = 0;
  for (const payload of payloads) if (JSON.parse(payload) !== null) parsed += 1;
  return parsed;
}

/** A `Response` wants a web stream: what that costs is the client's own need, as ours needs one of Node's. */
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
