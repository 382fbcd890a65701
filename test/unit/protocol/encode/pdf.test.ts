import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";
import { fakeKey } from "../../service/fixture.ts";

const data = Buffer.from("%PDF-1.4 not read by any client").toString("base64");

const request: ChatRequest = {
  model: "service-core",
  maxTokens: 7,
  stream: false,
  messages: [
    {
      role: "user",
      content: [
        { type: "pdf", name: "plan.pdf", data },
        { type: "text", text: "What is the plan?" },
      ],
    },
  ],
};

/** Collects the bodies that a client sends. No answer comes. */
function recordBodies(): { readonly bodies: unknown[]; readonly fetch: typeof fetch } {
  const bodies: unknown[] = [];
  const sent: typeof fetch = (_url, init) => {
    bodies.push(init?.body);
    return Promise.resolve(new Response("", { status: 400 }));
  };
  return { bodies, fetch: sent };
}

describe("a PDF file", () => {
  it("is written byte for byte as the official client of Chat Completions writes it", async () => {
    const { bodies, fetch } = recordBodies();
    const client = new OpenAI({
      apiKey: fakeKey("pdf"),
      baseURL: "http://127.0.0.1/v1",
      maxRetries: 0,
      fetch,
    });
    const sending = client.chat.completions.create({
      model: "service-core",
      messages: [
        {
          role: "user",
          content: [
            {
              type: "file",
              file: { filename: "plan.pdf", file_data: `data:application/pdf;base64,${data}` },
            },
            { type: "text", text: "What is the plan?" },
          ],
        },
      ],
      max_tokens: 7,
    });
    await assert.rejects(sending, OpenAI.BadRequestError);
    assert.deepEqual(bodies, [JSON.stringify(wireStyles["chat-completions"].encodeRequest(request))]);
  });

  it("is written byte for byte as the official client of Messages writes it", async () => {
    const { bodies, fetch } = recordBodies();
    const client = new Anthropic({
      authToken: fakeKey("pdf"),
      baseURL: "http://127.0.0.1",
      maxRetries: 0,
      fetch,
    });
    const sending = client.messages.create({
      model: "service-core",
      max_tokens: 7,
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data },
              title: "plan.pdf",
            },
            { type: "text", text: "What is the plan?" },
          ],
        },
      ],
    });
    await assert.rejects(sending, Anthropic.BadRequestError);
    assert.deepEqual(bodies, [JSON.stringify(wireStyles.messages.encodeRequest(request))]);
  });
});
