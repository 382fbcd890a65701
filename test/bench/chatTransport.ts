import { createTransport } from "../../src/client/transport/createTransport.ts";
import type { Transport } from "../../src/client/http/transport.ts";

/** Creates the transport of a chat with default settings. */
export function createChatTransport(): Transport {
  return createTransport("auto", { strictCertificates: true, systemCertificates: true }, fetch);
}
