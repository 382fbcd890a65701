import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyText } from "node:stream/consumers";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import type { RequestMemory } from "../../../../src/client/request/requestMemory.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { isSameAdaptation, type LastingAdaptation } from "../../../../src/protocol/encode/adaptation.ts";
import type { ChatRequest, Message, StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { noQuirks } from "../../../service/quirks.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { startPlainServer } from "../transport/plainServer.ts";
import { createTestClient } from "./testClient.ts";

const request: ChatRequest = {
  model: "service-core",
  maxTokens: 50,
  stream: true,
  tools: [{ name: "read", description: "Reads.", schema: { type: "object" } }],
  toolChoice: "auto",
  messages: [
    { role: "system", content: [{ type: "text", text: "Answer with the word HERON." }] },
    { role: "user", content: [{ type: "text", text: "Hello" }] },
  ],
};

const said = (role: Message["role"], text: string): Message => ({ role, content: [{ type: "text", text }] });

interface TestMemory extends RequestMemory {
  readonly learnt: LastingAdaptation[];
  /** Statuses of the requests that were refused for an image. */
  readonly refusedImages: number[];
}

/** Stores adaptations in memory instead of on disk. */
function createMemory(): TestMemory {
  const learnt: LastingAdaptation[] = [];
  const refusedImages: number[] = [];
  return {
    learnt,
    refusedImages,
    adaptationsFor: () => learnt,
    learnNoImages: (_asked, { status }) => void refusedImages.push(status),
    learn: (_asked, adaptation) => {
      if (!learnt.some((known) => isSameAdaptation(known, adaptation))) learnt.push(adaptation);
    },
  };
}

async function textOf(batches: AsyncIterable<readonly StreamPart[]>): Promise<string> {
  let text = "";
  for await (const parts of batches) {
    for (const part of parts) if (part.type === "text-delta") text += part.text;
  }
  return text;
}

describe("a request whose fields are refused by name", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  const records: CallRecord[] = [];
  let service: ReferenceService;
  let key: string;

  before(async () => {
    service = await startReferenceService();
    key = service.keys.add({}, fakeKey("fields"));
  });
  beforeEach(() => {
    records.length = 0;
    service.journal.clear();
    service.quirks = noQuirks;
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  const clientWith = (memory: RequestMemory): InferenceClient =>
    createTestClient({
      transport,
      origin: service.origin,
      key,
      memory,
      onCall: (record) => records.push(record),
    });

  const statuses = (): readonly (number | undefined)[] => records.map(({ status }) => status);

  for (const style of clientStyles) {
    it(`is sent again without the refused fields, which later requests omit (${style})`, async () => {
      const refuse =
        style === "messages" ? ["tools", "system"] : ["stream_options", "tools", "system", "max_tokens"];
      service.quirks = { ...noQuirks, refuse };
      const memory = createMemory();
      assert.equal(await textOf(clientWith(memory).streamChat(style, request, soon())), "HERON");
      assert.deepEqual(statuses(), [...refuse.map(() => 400), 200]);
      assert.equal(new Set(records.map(({ requestId }) => requestId)).size, refuse.length + 1);
      assert.equal(service.keys.spent(key) > 0, true);
      records.length = 0;
      assert.equal(await textOf(clientWith(memory).streamChat(style, request, soon())), "HERON");
      assert.deepEqual(statuses(), [200]);
      const { fields = [] } = service.journal.entries.at(-1) ?? {};
      for (const name of refuse) assert.ok(!fields.includes(name), name);
      assert.equal(fields.includes("max_completion_tokens"), style === "chat-completions");
    });
  }

  const talk = [
    said("user", "The word is LANTERN."),
    said("assistant", "Noted."),
    said("user", "Which word?"),
  ];

  it("reads the cache that the first question wrote, and reports the cached tokens", async () => {
    const client = clientWith(createMemory());
    const tools = [{ name: "look", description: "Looks.", schema: { type: "object" } }];
    const asked = { ...request, tools, messages: [...request.messages.slice(0, 1), ...talk] };
    await textOf(client.streamChat("messages", asked, soon()));
    const more = [...asked.messages, said("assistant", "LANTERN"), said("user", "Thanks.")];
    await textOf(client.streamChat("messages", { ...asked, messages: more }, soon()));
    assert.deepEqual(
      service.journal.entries.map(({ cacheMarks }) => cacheMarks),
      [3, 3],
    );
    const [first, second] = records.map(({ usage }) => usage);
    assert.equal(first?.cacheReadTokens, undefined);
    assert.ok((first?.cacheWriteTokens ?? 0) > 0);
    assert.equal(second?.cacheReadTokens, first?.cacheWriteTokens);
    assert.ok((second?.inputTokens ?? 0) > (first?.inputTokens ?? 0));
    assert.equal(second?.inputTokens, service.journal.entries.at(-1)?.inputTokens, "all of it is counted");
  });

  for (const refuse of ["cache_control", "blocks"]) {
    it(`is sent without cache marks, now and later, if ${refuse} is refused`, async () => {
      service.quirks = { ...noQuirks, refuse: [refuse] };
      const memory = createMemory();
      assert.equal(await textOf(clientWith(memory).streamChat("messages", request, soon())), "HERON");
      assert.deepEqual(memory.learnt, [{ kind: "omit", field: "cache_control" }]);
      assert.deepEqual(statuses(), [400, 200]);
      await textOf(clientWith(memory).streamChat("messages", request, soon()));
      assert.deepEqual(statuses(), [400, 200, 200]);
      const { fields, cacheMarks } = service.journal.entries.at(-1) ?? {};
      assert.equal(cacheMarks, 0);
      assert.ok(fields?.includes("tools") && fields.includes("system"), "nothing else is left out");
    });
  }

  it("bills nothing for the refused attempts", async () => {
    const before = service.keys.spent(key);
    await textOf(clientWith(createMemory()).streamChat("chat-completions", request, soon()));
    const plain = service.keys.spent(key) - before;
    service.quirks = { ...noQuirks, refuse: ["stream_options", "tools"] };
    await textOf(clientWith(createMemory()).streamChat("chat-completions", request, soon()));
    // Without tools, the accepted request has fewer tokens than the plain one.
    assert.ok(service.keys.spent(key) - before - plain < plain);
  });

  it("fails if it requires the refused field, and still remembers the refusal", async () => {
    service.quirks = { ...noQuirks, refuse: ["tools"] };
    const memory = createMemory();
    const insisting = { ...request, stream: false, required: ["tools"] };
    for (const _attempt of ["first", "second"]) {
      await assert.rejects(clientWith(memory).complete("messages", insisting, soon()), InferenceError);
    }
    assert.deepEqual(memory.learnt, [{ kind: "omit", field: "tools" }]);
    assert.deepEqual(statuses(), [400, 400]);
  });

  it("is sent with all its fields each time if the client has no memory", async () => {
    service.quirks = { ...noQuirks, refuse: ["stream_options"] };
    const client = createTestClient({
      transport,
      origin: service.origin,
      key,
      onCall: (record) => records.push(record),
    });
    await textOf(client.streamChat("chat-completions", request, soon()));
    await textOf(client.streamChat("chat-completions", request, soon()));
    assert.deepEqual(statuses(), [400, 200, 400, 200]);
  });

  it("ends after it was canceled, and only the request that was sent is recorded", async () => {
    service.quirks = { ...noQuirks, refuse: ["stream_options"] };
    const stopping = new AbortController();
    const memory = createMemory();
    const cancelling: RequestMemory = { ...memory, learn: () => stopping.abort() };
    await textOf(clientWith(cancelling).streamChat("chat-completions", request, stopping.signal));
    assert.equal(service.journal.entries.length, 1);
    assert.deepEqual(
      records.map(({ failure }) => failure),
      ["refused"],
    );
  });

  it("is not sent again if the budget is spent or the model is unknown", async () => {
    service.quirks = { ...noQuirks, refuse: ["stream_options"] };
    const spent = service.keys.add({ budget: 0 }, fakeKey("spent-fields"));
    const poor = createTestClient({ transport, origin: service.origin, key: spent, memory: createMemory() });
    await assert.rejects(textOf(poor.streamChat("chat-completions", request, soon())), InferenceError);
    const strange = { ...request, model: "stream_options" };
    const client = clientWith(createMemory());
    await assert.rejects(textOf(client.streamChat("chat-completions", strange, soon())), InferenceError);
    assert.equal(service.journal.entries.length, 2);
  });

  for (const stream of [true, false]) {
    it(`is sent again if the refusal has a success status (stream: ${stream})`, async () => {
      await using closing = new AsyncDisposableStack();
      const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
      const bodies: string[] = [];
      const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
        bodies.push(await bodyText(incoming));
        const error = { message: "Unknown parameter: 'tools'.", param: "tools", code: "unknown_parameter" };
        const choices = [{ message: { content: "HERON" }, finish_reason: "stop" }];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(bodies.length === 1 ? { error } : { choices }));
      };
      server.answer = (incoming, response) => void answer(incoming, response);
      const memory = createMemory();
      const onCall = (record: CallRecord): void => void records.push(record);
      const client = createTestClient({ transport, origin: server.origin, key, memory, onCall });
      const asked = { ...request, stream };
      const text = stream
        ? await textOf(client.streamChat("chat-completions", asked, soon()))
        : (await client.complete("chat-completions", asked, soon())).value
            .flatMap((part) => (part.type === "text-delta" ? [part.text] : []))
            .join("");
      assert.equal(text, "HERON");
      assert.deepEqual(
        bodies.map((body) => body.includes('"tools"')),
        [true, false],
      );
      assert.deepEqual(
        records.map(({ failure, model, clientStyle }) => [failure, model, clientStyle]),
        [
          ["refused", "service-core", "chat-completions"],
          [undefined, "service-core", "chat-completions"],
        ],
      );
    });
  }
});

describe("an answer of a server that accepts no images or counts no tokens", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  after(() => transport.close());
  const picture = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const text = { type: "text", text: "What is it?" } as const;

  it("is not requested again if the image is refused, and the refusal is remembered", async () => {
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    let requests = 0;
    server.answer = (_incoming, response) => {
      requests += 1;
      const error = { message: "image input is not supported - hint: a projector is needed", code: 500 };
      response.writeHead(500).end(JSON.stringify({ error }));
    };
    const memory = createMemory();
    const client = createTestClient({ transport, origin: server.origin, key: fakeKey("images"), memory });
    const ask = (content: readonly (typeof picture | typeof text)[]) =>
      client.complete(
        "chat-completions",
        { ...request, stream: false, messages: [{ role: "user", content }] },
        soon(),
      );
    await assert.rejects(ask([picture, text]), InferenceError);
    assert.deepEqual(memory.refusedImages, [500]);
    await assert.rejects(ask([text]), InferenceError);
    assert.deepEqual([memory.refusedImages, requests], [[500], 2]);
  });

  it("has no usage if all counts are 0", async () => {
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    server.answer = (_incoming, response) => {
      const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
      response.end(JSON.stringify({ choices: [{ message: { content: "HERON" } }], usage }));
    };
    const client = createTestClient({ transport, origin: server.origin, key: fakeKey("zeros") });
    const { value } = await client.complete("chat-completions", { ...request, stream: false }, soon());
    assert.deepEqual(
      value.map(({ type }) => type),
      ["text-delta", "finish"],
    );
  });
});
