import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";

/** Refuses every request, and has its body: the reference service tells nobody what it was sent. */
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
