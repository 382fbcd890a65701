import assert from "node:assert/strict";
import { type Failure, InferenceError } from "../../../../src/client/failure/failure.ts";
import type { Transport } from "../../../../src/client/http/transport.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { fakeKey } from "../../service/fixture.ts";
import { MockClock } from "../http/mockClock.ts";
import { testLimits } from "../http/requests.ts";
import { createTestClient } from "../request/testClient.ts";

const request: ChatRequest = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  maxTokens: 100,
  stream: true,
};
const limits = { ...testLimits, closingMs: 100, totalMs: 5000 };
const never = new AbortController().signal;

const chunk = (content: string, reason: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: reason }] })}\n\n`;
const done = "data: [DONE]\n\n";

/** An event with a part of a tool call's arguments. */
function piece(text: string): string {
  const call = { index: 0, id: "one", function: { name: "f", arguments: text } };
  return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`;
}

/** Returns the text and failure of an answer. Each read is a delay in milliseconds and the chunk after it. */
async function ask(
  reads: readonly (readonly [number, string])[],
): Promise<{ readonly text: string; readonly failure?: Failure }> {
  using clock = new MockClock();
  async function* body(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (const [milliseconds, read] of reads) {
      clock.tick(milliseconds);
      signal.throwIfAborted();
      yield Buffer.from(read);
    }
  }
  const transport: Transport = {
    send: async (_message, _limits, signal) => ({
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: body(signal),
    }),
    routeFor: () => ({ transport: "undici", anyCertificate: false }),
    close: async () => undefined,
  };
  const client = createTestClient({
    transport,
    origin: "https://service.example",
    key: fakeKey("close"),
    limits,
  });
  let text = "";
  try {
    for await (const parts of client.streamChat("chat-completions", request, never))
      for (const part of parts) if (part.type === "text-delta") text += part.text;
    return { text };
  } catch (error) {
    assert.ok(error instanceof InferenceError, String(error));
    return { text, failure: error.failure };
  }
}

describe("the time limit of an answer", () => {
  it("is short after a finish reason or the end marker", async () => {
    for (const end of [chunk("", "stop"), done])
      assert.deepEqual(
        await ask([
          [0, chunk("Hi", null) + end],
          [101, chunk("more", null)],
        ]),
        { text: "Hi" },
      );
  });

  it("is not short if the finish reason came before any text", async () => {
    const reads = [
      [0, chunk("", "stop")],
      [1000, chunk("a", null)],
      [1000, chunk("b", "stop") + done],
    ] as const;
    assert.deepEqual(await ask(reads), { text: "ab" });
  });

  it("restarts with each part of a tool call unless the part is empty", async () => {
    const slow = [
      [0, piece("{")],
      [3000, piece(" ")],
      [3000, piece(" ")],
      [3000, `${piece("}")}${chunk("", "tool_calls")}${done}`],
    ] as const;
    assert.deepEqual(await ask(slow), { text: "" });
    const empty = slow.map(([milliseconds]) => [milliseconds, piece("")] as const);
    assert.deepEqual(await ask(empty), { text: "", failure: { kind: "timeout", phase: "total" } });
  });

  it("is the full limit again if text follows a finish reason", async () => {
    const goingOn = [
      [0, chunk("a", "stop")],
      [99, chunk("b", "stop")],
      [1000, chunk("c", null)],
      [1000, chunk("d", "stop")],
      [1000, chunk("e", "stop")],
    ] as const;
    assert.deepEqual(await ask([...goingOn, [0, done]]), { text: "abcde" });
    assert.deepEqual(await ask(goingOn), { text: "abcde" });
    assert.deepEqual(await ask([...goingOn, [5001, done]]), {
      text: "abcde",
      failure: { kind: "timeout", phase: "total" },
    });
    assert.deepEqual(await ask([...goingOn, [0, done], [101, chunk("f", "stop")]]), { text: "abcde" });
  });
});
