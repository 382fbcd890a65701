import { readAddress } from "../../../src/client/address.ts";
import { ApiKey } from "../../../src/client/apiKey.ts";
import type { CallRecord } from "../../../src/client/call.ts";
import { InferenceClient } from "../../../src/client/inferenceClient.ts";
import type { RequestMemory } from "../../../src/client/requestMemory.ts";
import { testLimits } from "./requests.ts";
import type { TimeLimits, Transport } from "../../../src/client/transport.ts";

export interface TestClientOptions {
  readonly transport: Transport;
  readonly origin: string;
  readonly key: string;
  /** By default the origin itself. */
  readonly keyOrigin?: string;
  readonly limits?: TimeLimits;
  readonly onCall?: (record: CallRecord) => void;
  readonly memory?: RequestMemory;
}

/** The real client over the real transport, with limits that suit a test on loopback. */
export function createTestClient(options: TestClientOptions): InferenceClient {
  const reading = readAddress(options.origin);
  if (reading.kind === "problem") throw new Error(`No address: ${reading.problem}`);
  return new InferenceClient({
    transport: options.transport,
    address: reading.address,
    key: new ApiKey(options.key, options.keyOrigin ?? reading.address.origin),
    limits: options.limits ?? testLimits,
    userAgent: "inference-chat/test",
    onCall: options.onCall ?? (() => undefined),
    ...(options.memory === undefined ? {} : { memory: options.memory }),
  });
}
