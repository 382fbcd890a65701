import { Readable } from "node:stream";
import { readAddress } from "../../src/client/http/address.ts";
import { ApiKey } from "../../src/client/key/apiKey.ts";
import { KeySeal } from "../../src/client/key/keySeal.ts";
import { decompress } from "../../src/client/transport/decompress.ts";
import { InferenceClient } from "../../src/client/request/inferenceClient.ts";
import { answerLimits } from "../../src/client/http/transport.ts";
import type { Transport } from "../../src/client/http/transport.ts";

/** Creates our client, which reads the answer from memory instead of the network. */
export function createInMemoryClient(reads: readonly Uint8Array[]): InferenceClient {
  const transport: Transport = {
    send: async () => ({
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: replay(reads),
    }),
    routeFor: () => ({ transport: "undici", anyCertificate: false }),
    close: async () => undefined,
  };
  return createBenchClient("http://127.0.0.1:9", transport);
}

/** Creates our client for a service on loopback, with a made-up key. Throws if the origin is invalid. */
export function createBenchClient(origin: string, transport: Transport): InferenceClient {
  const reading = readAddress(origin, true);
  if (reading.kind === "problem") throw new Error(reading.problem);
  return new InferenceClient({
    transport,
    address: reading.address,
    key: new ApiKey(["test", "not", "a", "key", "0123456789"].join("-"), KeySeal.of(reading.address)),
    limits: answerLimits,
    userAgent: "inference-chat/bench",
    onCall: () => undefined,
  });
}

/** Streams the body like the product's transport does: as a Node stream. */
function replay(reads: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  let next = 0;
  const body = new Readable({
    // Each network read arrives separately, so no chunk waits for further ones.
    highWaterMark: 1,
    read() {
      queueMicrotask(() => {
        this.push(reads[next] ?? null);
        next += 1;
      });
    },
  });
  return decompress(body);
}
