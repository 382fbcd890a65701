import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { OpenAI } from "openai";
import { startReferenceService } from "../../service/serve.ts";
import {
  ask,
  chatPath,
  fakeKey,
  messagesPath,
  openDesk,
  post,
  soon,
  splitEvents,
  type Desk,
} from "./fixture.ts";

/** A service in front of an upstream service. Each has its own key. */
async function openChain(front: { readonly pace?: number } = {}) {
  const stack = new AsyncDisposableStack();
  const upstream = stack.use(await openDesk({ models: ["local-model"], ...front }));
  const baseAddress = `${upstream.service.origin}/v1/`;
  const desk = stack.use(await openDesk({ upstream: { baseAddress, key: upstream.key } }));
  const key = desk.service.keys.add({}, fakeKey("front"));
  return { upstream, desk: { ...desk, key }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const request = (content: string, more: object = {}) => ask(content, { model: "local-model", ...more });

describe("reference service: --upstream", () => {
  it("lists the upstream's models and returns its whole answers", async () => {
    await using chain = await openChain();
    const client = new OpenAI({ apiKey: chain.desk.key, baseURL: `${chain.desk.service.origin}/v1` });
    assert.deepEqual(
      (await client.models.list()).data.map(({ id }) => id),
      ["local-model"],
    );
    const direct = await (await post(chain.upstream, chatPath, request("hello"))).text();
    const through = await (await post(chain.desk, chatPath, request("hello"))).text();
    const content = /"message":\{.*?\}/u;
    assert.equal(content.exec(through)?.[0], content.exec(direct)?.[0]);
    const usage = /"usage":\{.*?\}/u;
    assert.equal(usage.exec(through)?.[0], usage.exec(direct)?.[0]);
  });

  it("streams in the caller's style and bills the caller's key", async () => {
    await using chain = await openChain();
    const response = await post(
      chain.desk,
      messagesPath,
      request("/long 300", { stream: true, max_tokens: 5 }),
    );
    const names = splitEvents(await response.text()).map(({ name }) => name);
    assert.equal(names.filter((name) => name === "content_block_delta").length, 5);
    assert.equal(names.at(-1), "message_stop");
    assert.equal(chain.desk.service.keys.spent(chain.desk.key), 7);
    assert.equal(chain.upstream.service.keys.spent(chain.upstream.key), 7);
  });

  it("stops the upstream when the client leaves, even before the first token", async () => {
    await using chain = await openChain({ pace: 60_000 });
    const client = new AbortController();
    await post(chain.desk, chatPath, request("hi", { stream: true }), {}, client.signal);
    client.abort();
    const entry = await chain.upstream.service.journal.next(({ state }) => state === "aborted", soon());
    assert.equal(entry.path, chatPath);
  });

  it("has its own keys and budgets, and reports a refusal of the upstream", async () => {
    await using chain = await openChain();
    chain.desk.service.keys.change(chain.desk.key, { budget: 0 });
    assert.equal((await post(chain.desk, chatPath, request("hi"))).status, 429);
    chain.desk.service.keys.change(chain.desk.key, { budget: undefined });
    chain.upstream.service.keys.revoke(chain.upstream.key);
    const refused = await post(chain.desk, messagesPath, request("hi"));
    assert.equal(refused.status, 502);
    assert.match(await refused.text(), /"api_error","message":"The upstream answered with status 403\."/u);
    assert.equal(chain.desk.service.keys.spent(chain.desk.key), 0);
  });

  it("rejects if the upstream can't be reached", async () => {
    const desk = await openDesk();
    await desk.service.close();
    await assert.rejects(
      startReferenceService({ upstream: { baseAddress: desk.service.origin } }),
      /could not be reached \(ECONNREFUSED\)/u,
    );
  });
});

/** A service in front of an upstream that the listener implements. */
async function openBehind(listener: RequestListener): Promise<Desk & AsyncDisposable> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const upstream = { baseAddress: `http://127.0.0.1:${port}` };
  const desk = await openDesk({ models: ["local-model"], upstream });
  return {
    ...desk,
    [Symbol.asyncDispose]: async () => {
      await desk.service.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("reference service: failing upstreams", () => {
  it("ends a stream with an error event when the upstream's stream breaks off", async () => {
    await using desk = await openBehind((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"choices":[{"delta":{"content":"half"}}]}\n\n');
    });
    const chat = splitEvents(await (await post(desk, chatPath, request("hi", { stream: true }))).text());
    assert.match(chat.at(-1)?.data ?? "", /"error":\{"message":"The upstream's stream broke off/u);
    const messages = splitEvents(
      await (await post(desk, messagesPath, request("hi", { stream: true }))).text(),
    );
    assert.equal(messages.at(-1)?.name, "error");
    assert.equal(desk.service.journal.entries[0]?.refusal, "upstream-failed");
  });

  it("refuses an unreadable answer of the upstream", async () => {
    await using desk = await openBehind((_request, response) => {
      response.end("<html>");
    });
    const response = await post(desk, chatPath, request("hi"));
    assert.equal(response.status, 502);
    assert.match(await response.text(), /could not be read/u);
  });
});
