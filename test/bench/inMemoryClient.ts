import { Readable } from "node:stream";
import { readAddress } from "../../src/client/http/address.ts";
import { ApiKey } from "../../src/client/key/apiKey.ts";
import { KeySeal } from "../../src/client/key/keySeal.ts";
import { decompress } from "../../src/client/transport/decompress.ts";
import { InferenceClient } from "../../src/client/request/inferenceClient.ts";
import { answerLimits } from "../../src/client/http/transport.ts";
import type { Transport } from "../../src/client/http/transport.ts";

/** Our client over an answer that is there already: all but the network. */
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

/** Our client of a service on loopback, with a key that no service has given. */
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

/** As the product's transport hands a body to a chat: a stream of Node's. */
function replay(reads: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  let next = 0;
  const body = new Readable({
    // From the network each read comes by itself, so none waits here for further ones.
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
