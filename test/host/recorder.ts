import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";

/**
 * Starts a server that refuses every request and records the bodies of POST requests. The reference service does not
 * expose bodies.
 */
export async function startRecorder(): Promise<{ bodies: readonly string[]; plain: PlainServer }> {
  const bodies: string[] = [];
  const plain = await startPlainServer();
  plain.answer = (request, response) => {
    const chunks: string[] = [];
    request.on("data", (chunk) => chunks.push(String(chunk)));
    request.on("end", () => {
      if (request.method === "POST") bodies.push(chunks.join(""));
      response.writeHead(400).end();
    });
  };
  return { bodies, plain };
}
