import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { readAddress } from "../../../../src/client/http/address.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { Credentials } from "../../../../src/client/key/credentials.ts";
import { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import { createEditorTransport } from "../../../../src/client/transport/editorTransport.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { Transport } from "../../../../src/client/http/transport.ts";
import { isReservedHeader } from "../../../../src/connection/setup/connectionHeaders.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { sealFor } from "../../../support/sealFor.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { type PlainServer, startPlainServer } from "../transport/plainServer.ts";
import { testLimits } from "../http/requests.ts";

const secret = ["gw", "secret", "of-the-gateway-77"].join("_");
const ask: ChatRequest = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  maxTokens: 9,
  stream: true,
};

function credentialsFor(origin: string, key: string, sealedTo = origin): Credentials {
  return new Credentials(new ApiKey(key, sealFor(origin)), [
    { name: "X-Portkey-Provider", value: "openai" },
    { name: "Helicone-Auth", secret: new ApiKey(secret, sealFor(sealedTo)), scheme: "Bearer" },
  ]);
}

function clientOf(transport: Transport, origin: string, credentials: Credentials): InferenceClient {
  const reading = readAddress(origin);
  assert.ok(reading.kind === "address");
  return new InferenceClient({
    transport,
    address: reading.address,
    key: credentials,
    limits: testLimits,
    userAgent: "inference-chat/test",
    onCall: () => undefined,
  });
}

const transports = {
  undici: createUndiciTransport({ strictCertificates: true }),
  editor: createEditorTransport((url, options) => fetch(url, options)),
};

describe("the further headers of a connection", () => {
  let service: ReferenceService;
  let server: PlainServer;
  let elsewhere: PlainServer;
  const key = fakeKey("further-headers");

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    server = await startPlainServer();
    elsewhere = await startPlainServer();
  });
  beforeEach(() => service.journal.clear());
  after(async () => {
    for (const transport of Object.values(transports)) await transport.close();
    for (const each of [service, server, elsewhere]) await each.close();
  });

  for (const [way, transport] of Object.entries(transports)) {
    it(`are sent with the list of models and with answers of both styles (${way})`, async () => {
      const client = clientOf(transport, service.origin, credentialsFor(service.origin, key));
      await client.listModels(soon());
      for (const style of clientStyles) {
        await client.complete(style, { ...ask, stream: false }, soon());
        for await (const _ of client.streamChat(style, ask, soon()));
      }
      assert.equal(service.journal.entries.length, 5);
      for (const { headerNames } of service.journal.entries) {
        assert.ok(headerNames.includes("x-portkey-provider"), headerNames.join());
        assert.ok(headerNames.includes("helicone-auth"), headerNames.join());
      }
    });

    it(`arrive with their values beside the key (${way})`, async () => {
      let got: IncomingHttpHeaders = {};
      server.answer = (request, response) => {
        got = request.headers;
        response.end(JSON.stringify({ data: [] }));
      };
      await clientOf(transport, server.origin, credentialsFor(server.origin, key)).listModels(soon());
      assert.equal(got["x-portkey-provider"], "openai");
      assert.equal(got["helicone-auth"], `Bearer ${secret}`);
      assert.equal(got.authorization, `Bearer ${key}`);
    });

    it(`are not carried to another origin by a redirect (${way})`, async () => {
      server.answer = (_request, response) =>
        void response.writeHead(307, { location: `${elsewhere.origin}/v1/models` }).end();
      const client = clientOf(transport, server.origin, credentialsFor(server.origin, key));
      await assert.rejects(client.listModels(soon()), InferenceError);
      assert.equal(elsewhere.requests, 0);
    });

    it(`can set no header that requests have already (${way})`, async () => {
      const names = new Set<string>();
      for (const style of clientStyles) {
        const plain = new Credentials(new ApiKey(key, sealFor(service.origin)), []);
        for await (const _ of clientOf(transport, service.origin, plain).streamChat(style, ask, soon()));
      }
      for (const { headerNames } of service.journal.entries) for (const name of headerNames) names.add(name);
      // Node's fetch adds these two for web pages, which services ignore.
      const ofPages = new Set(["accept-language"]);
      const free = [...names].filter((name) => !isReservedHeader(name) && !ofPages.has(name));
      assert.deepEqual(free, []);
    });
  }

  it("are sent nowhere if the value of a variable is sealed to another origin", async () => {
    const moved = credentialsFor(server.origin, key, "https://elsewhere.example");
    const before = server.requests;
    await assert.rejects(
      clientOf(transports.undici, server.origin, moved).listModels(soon()),
      (error) => error instanceof InferenceError && error.cause === "key-origin-mismatch",
    );
    assert.equal(server.requests, before);
  });

  it("are removed from what the service says about itself", async () => {
    server.answer = (_request, response) =>
      void response
        .writeHead(401, { "x-request-id": `req_${secret}` })
        .end(JSON.stringify({ error: { message: `Bad gateway key ${secret} beside ${key}` } }));
    const client = clientOf(transports.undici, server.origin, credentialsFor(server.origin, key));
    await assert.rejects(client.listModels(soon()), (error) => {
      assert.ok(error instanceof InferenceError);
      const said = JSON.stringify(error.failure);
      assert.ok(!said.includes(secret) && !said.includes(key) && said.includes("Bad gateway key"), said);
      return true;
    });
  });
});
