import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import fc from "fast-check";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { ChatRequest, StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import type { Model } from "../../../../src/protocol/decode/modelList.ts";
import { clientStyles, type ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { soon } from "../../service/fixture.ts";
import { anyKeys, givesAway, plantings, stringsIn } from "./plantedKeys.ts";
import { type PlainServer, startPlainServer } from "../transport/plainServer.ts";
import { createTestClient } from "../request/testClient.ts";
import { failed } from "../../../support/failed.ts";

const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };

type Place = (response: ServerResponse, planted: string) => unknown;

function refuse(status: number, body: unknown): Place {
  return (response, planted) =>
    response.writeHead(status, json).end(JSON.stringify(body).replaceAll('"KEY"', JSON.stringify(planted)));
}

/** Places of an answer in which the server may repeat the key. */
const places: Readonly<Record<string, Place>> = {
  "the message": refuse(401, { error: { message: "KEY" } }),
  "type, code and param": refuse(400, { error: { type: "KEY", code: "KEY", param: "KEY", message: "x" } }),
  "the body's request ID": refuse(500, { error: { message: "x", request_id: "KEY" }, request_id: "KEY" }),
  "the provider's words": refuse(502, {
    error: { message: "Provider returned error", metadata: { raw: "KEY" } },
  }),
  "a validation error": refuse(422, { detail: [{ loc: ["body", "KEY"], msg: "KEY", type: "KEY" }] }),
  "an error under a success status": refuse(200, { error: { message: "KEY", code: "KEY" } }),
  "a list of models": refuse(200, { data: [{ id: "KEY" }, { id: "m", name: "KEY", owned_by: "KEY" }] }),
  "the reason of an answer's end": refuse(200, {
    choices: [{ message: { content: "x" }, finish_reason: "KEY" }],
  }),
  "a body that is no answer": refuse(200, { greeting: "KEY" }),
  "plain text": (response, planted) => response.writeHead(403).end(planted),
  "plain text that is cut": (response, planted) => response.writeHead(403).end("x ".repeat(1015) + planted),
  "a page": (response, planted) =>
    response.writeHead(404).end(`<html><title>${planted}</title><body>${planted}</body></html>`),
  "a page for an answer": (response, planted) =>
    response.writeHead(200).end(`<html><title>${planted}</title>`),
  "an error event": (response, planted) =>
    response
      .writeHead(200, events)
      .end(`event: error\ndata: ${JSON.stringify({ error: { message: planted } })}\n\n`),
  "an event that is not JSON": (response, planted) =>
    response.writeHead(200, events).end(`data: ${planted.replaceAll("\n", " ")}\n\n`),
  "a refusal": (response, planted) => {
    const choices = [{ delta: { refusal: planted }, finish_reason: "stop" }];
    response.writeHead(200, events).end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
  },
  headers: (response, planted) => {
    const value = planted.replaceAll(/[^\x21-\x7e]+/g, "");
    response.writeHead(400, { server: value, "x-request-id": value, "retry-after": value }).end();
  },
  "the target of a redirect": (response, planted) => {
    const value = planted.replaceAll(/[^\x21-\x7e]+/g, "").replaceAll("\\", "%5C");
    response.writeHead(302, { location: `https://elsewhere.example/${value}?k=${value}` }).end();
  },
};

const ask: ChatRequest = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  maxTokens: 1,
  stream: true,
};

describe("a key that a service repeats", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  const t = createTranslate();
  let server: PlainServer;

  before(async () => {
    server = await startPlainServer();
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  /** Every string that remains of a request: the answer, the log's record, the error, and its diagnosis. */
  async function call(key: string, style: ClientStyle, how: string): Promise<readonly string[]> {
    const records: CallRecord[] = [];
    const client = createTestClient({
      transport,
      origin: server.origin,
      key,
      onCall: (record) => records.push(record),
    });
    const kept: StreamPart[] = [];
    const listed: Model[] = [];
    const work = async (): Promise<void> => {
      if (how === "list") listed.push(...(await client.listModels(soon())).value);
      else if (how === "whole") kept.push(...(await client.complete(style, ask, soon())).value);
      else for await (const parts of client.streamChat(style, ask, soon())) kept.push(...parts);
    };
    const thrown: unknown = await work().then(
      () => undefined,
      (error: unknown) => error,
    );
    const shown = [...stringsIn(records), ...stringsIn(kept), ...stringsIn(listed)];
    if (thrown === undefined) return shown;
    assert.ok(thrown instanceof InferenceError, inspect(thrown));
    const { failure, message, stack = "" } = thrown;
    const diagnosis = diagnose(failed(failure), { origin: server.origin, model: "service-core" }, t);
    return [
      ...shown,
      message,
      stack,
      ...stringsIn(failure),
      ...stringsIn(diagnosis),
      inspect(thrown, { depth: 9 }),
    ];
  }

  for (const [name, place] of Object.entries(places)) {
    it(`appears in nothing that remains of the request: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          anyKeys,
          fc.constantFrom(...Object.keys(plantings)),
          fc.constantFrom(...clientStyles),
          fc.constantFrom("list", "whole", "stream"),
          async (key, planting, style, how) => {
            server.answer = (_request, response) => place(response, plantings[planting]?.(key) ?? "");
            const leak = (await call(key, style, how)).find((text) => givesAway(text, key));
            assert.equal(leak, undefined, planting);
          },
        ),
        { numRuns: 60 },
      );
    });
  }
});
