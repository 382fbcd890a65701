import type { ChatTarget } from "../../../../src/chat/session/chatTarget.ts";
import { readAddress } from "../../../../src/client/http/address.ts";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import type { RequestMemory } from "../../../../src/client/request/requestMemory.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { testLimits } from "../http/requests.ts";
import type { TimeLimits, Transport } from "../../../../src/client/http/transport.ts";
import { sealFor } from "../../../support/sealFor.ts";

export interface TestClientOptions {
  readonly transport: Transport;
  readonly origin: string;
  readonly key: string;
  /** Defaults to `origin`. */
  readonly keyOrigin?: string;
  readonly limits?: TimeLimits;
  readonly onCall?: (record: CallRecord) => void;
  readonly memory?: RequestMemory;
}

/** Creates the real client with time limits for tests on loopback. Throws if the origin is invalid. */
export function createTestClient(options: TestClientOptions): InferenceClient {
  const reading = readAddress(options.origin);
  if (reading.kind === "problem") throw new Error(`Invalid origin: ${reading.problem}`);
  return new InferenceClient({
    transport: options.transport,
    address: reading.address,
    key: new ApiKey(options.key, sealFor(options.keyOrigin ?? reading.address.origin)),
    limits: options.limits ?? testLimits,
    userAgent: "inference-chat/test",
    onCall: options.onCall ?? (() => undefined),
    ...(options.memory === undefined ? {} : { memory: options.memory }),
  });
}

/** An `answer` function that streams from the client, like that of the real chat target. */
export function answerBy(
  client: InferenceClient,
  clientStyle: ClientStyle,
  request: Pick<ChatRequest, "model" | "maxTokens" | "tools" | "effort">,
): ChatTarget["answer"] {
  return async (messages, signal, { onParts, onActivity, onRefusedField }) => {
    const asked = { ...request, messages, stream: true };
    for await (const parts of client.streamChat(clientStyle, asked, signal, onActivity, onRefusedField))
      onParts(parts);
  };
}
