/** A process that answers every request with one streamed answer, as fast as it is read. */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { writeStreamedAnswer } from "./streamedAnswer.ts";

const [, , events = ""] = process.argv;
const { reads } = writeStreamedAnswer("chat-completions", Number(events));

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    answer(response).catch(() => response.destroy());
  });
});

async function answer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const bytes of reads) if (!response.write(bytes)) await once(response, "drain");
  response.end();
}

server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
