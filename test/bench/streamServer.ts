/**
 * A process that answers every request with a streamed answer, as fast as the client reads. An argument sets the
 * number of events. Below `/together/<count>`, it answers only when `count` requests have arrived.
 */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { writeStreamedAnswer } from "./streamedAnswer.ts";

const { reads } = writeStreamedAnswer("chat-completions", Number(process.argv[2]));
const waiting: ServerResponse[] = [];

const server = createServer((request, response) => {
  const together = Number(/^\/together\/(\d+)\//.exec(request.url ?? "")?.[1] ?? 1);
  request.resume();
  request.on("end", () => {
    waiting.push(response);
    if (waiting.length < together) return;
    for (const each of waiting.splice(0)) answer(each).catch(() => each.destroy());
  });
});

async function answer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const bytes of reads) if (!response.write(bytes)) await once(response, "drain");
  response.end();
}

server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
