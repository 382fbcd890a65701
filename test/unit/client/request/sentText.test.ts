import assert from "node:assert/strict";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { fakeKey } from "../../service/fixture.ts";
import { type PlainServer, startPlainServer } from "../transport/plainServer.ts";
import { createTestClient } from "./testClient.ts";

/** A request with lone surrogates in its messages, tools, tool calls, tool results, and stop texts. */
const request: ChatRequest = {
  model: "service-core",
  maxTokens: 5,
  stream: false,
  sampling: { stop: ["\ud83d"] },
  tools: [{ name: "look", description: "Looks \ude00", schema: { type: "object", title: "\ud83d" } }],
  messages: [
    { role: "system", content: [{ type: "text", text: "Be brief \ud83d" }] },
    { role: "user", content: [{ type: "text", text: "\ude00 half" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "a whole one: 😀" },
        {
          type: "tool-call",
          id: "c1",
          name: "look",
          arguments: { kind: "object", value: { "at\ud83d": "\ude00" } },
        },
      ],
    },
    { role: "user", content: [{ type: "tool-result", callId: "c1", text: "seen \ud83d" }] },
  ],
};

describe("the text of a request", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  let server: PlainServer;

  before(async () => {
    server = await startPlainServer();
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  for (const style of clientStyles) {
    it(`contains no lone surrogate (${style})`, async () => {
      const chunks: Buffer[] = [];
      server.answer = (received, response) => {
        received.on("data", (chunk: Buffer) => chunks.push(chunk));
        received.on("end", () => response.writeHead(400).end());
      };
      const client = createTestClient({ transport, origin: server.origin, key: fakeKey("halves") });
      await assert.rejects(client.complete(style, request, AbortSignal.timeout(30_000)), InferenceError);
      const body = Buffer.concat(chunks).toString();
      assert.doesNotMatch(body, /\\ud[89a-f]/i);
      assert.ok(body.includes("Be brief \ufffd") && body.includes("a whole one: 😀"), body);
    });
  }
});
