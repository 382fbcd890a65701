import { createTransport } from "../../src/client/transport/createTransport.ts";
import type { Transport } from "../../src/client/http/transport.ts";

/** The transport of a chat, with the settings as they are by default. */
export function createChatTransport(): Transport {
  return createTransport("auto", { strictCertificates: true, systemCertificates: true }, fetch);
}
