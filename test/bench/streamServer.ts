/**
 * A process that answers every request with a streamed answer, as fast as it is read: the last of those whose events
 * it is told to have, or below `/events/<count>` the one of so many. Below `/together/<count>` none of so many is
 * answered before all of them have come.
 */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { writeStreamedAnswer } from "./streamedAnswer.ts";

const answers = new Map(
  process.argv.slice(2).map((events): [string, readonly Uint8Array[]] => {
    const { reads } = writeStreamedAnswer("chat-completions", Number(events));
    return [events, reads];
  }),
);
const last = [...answers.values()].at(-1) ?? [];

const waiting: ServerResponse[] = [];

const server = createServer((request, response) => {
  const [, way, count = ""] = /^\/(events|together)\/(\d+)\//.exec(request.url ?? "") ?? [];
  request.resume();
  request.on("end", () => {
    if (way === "events") {
      answer(response, answers.get(count) ?? []).catch(() => response.destroy());
      return;
    }
    waiting.push(response);
    if (way === "together" && waiting.length < Number(count)) return;
    for (const each of waiting.splice(0)) answer(each, last).catch(() => each.destroy());
  });
});

async function answer(response: ServerResponse, reads: readonly Uint8Array[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const bytes of reads) if (!response.write(bytes)) await once(response, "drain");
  response.end();
}

server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
