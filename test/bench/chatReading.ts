/** How a chat that is on the screen reads its answers, with the settings as they are by default. */
import { createTransport } from "../../src/client/createTransport.ts";
import type { Reading } from "../../src/client/inferenceClient.ts";
import type { Transport } from "../../src/client/transport.ts";

export function createChatTransport(): Transport {
  return createTransport("auto", { strictCertificates: true, systemCertificates: true }, fetch);
}

/** Nothing is gathered for what is watched, but each time it is asked whether to (`src/chat/arrivingAnswer.ts`). */
export const chatReading: Required<Reading> = { onActivity: () => undefined, gatherMs: () => 0 };
