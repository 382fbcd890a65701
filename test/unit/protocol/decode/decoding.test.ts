import assert from "node:assert/strict";
import { chatCompletions } from "../../../../src/protocol/styles/chatCompletions.ts";
import { createEventReader } from "../../../../src/protocol/decode/serverSentEvents.ts";
import { UnreadableStreamError } from "../../../../src/protocol/conversation/wireStyle.ts";

const say = (content: string): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });

/** Reads a stream in pieces of `size` bytes. `at` has the number of bytes read when each text part was returned. */
function readText(stream: string, size: number): { readonly text: string; readonly at: readonly number[] } {
  const reader = createEventReader();
  const decoder = chatCompletions.createStreamDecoder();
  const bytes = new TextEncoder().encode(stream);
  const at: number[] = [];
  let text = "";
  const take = (events: ReturnType<typeof reader.end>, length: number): void => {
    for (const part of events.flatMap(({ data, event }) => decoder.decode(data, event))) {
      if (part.type !== "text-delta") continue;
      text += part.text;
      at.push(length);
    }
  };
  for (let from = 0; from < bytes.length; from += size)
    take(reader.feed(bytes.subarray(from, from + size)), Math.min(from + size, bytes.length));
  take(reader.end(), bytes.length);
  return { text, at };
}

describe("data of events", () => {
  const streams: readonly (readonly [string, string])[] = [
    ["events with no empty line between them", `data: ${say("He")}\ndata: ${say("ron")}\ndata: [DONE]\n`],
    [
      "events that end with CRLF and have no empty line between them",
      `data: ${say("He")}\r\ndata: ${say("ron")}\r\ndata: [DONE]\r\n`,
    ],
    ["two objects in one line", `data: ${say("He")}${say("ron")}\n\n`],
    ["the name of the field twice", `data: data: ${say("He")}\n\ndata: data: ${say("ron")}\n\n`],
    ["words that keep the connection open", `data: ping\n\ndata: null\n\ndata: ${say("Heron")}\n\n`],
    ["events named ping", `event: ping\ndata: 1760000000\n\ndata: ${say("Heron")}\n\n`],
    ["an object over several lines", `data: {"choices":\ndata: [{"delta":{"content":"Heron"}}]}\n\n`],
  ];
  for (const [name, stream] of streams) {
    it(`is read from ${name}, in reads of any size`, () => {
      for (const size of [1, 2, 5, 1000]) assert.equal(readText(stream, size).text, "Heron", `${size}`);
    });
  }

  it("is returned by the end of the next event's line if there is no empty line between events", () => {
    const first = `data: ${say("He")}\n`;
    const { at } = readText(`${first}data: ${say("ron")}\ndata: [DONE]\n`, 1);
    assert.ok((at[0] ?? Infinity) <= `${first}data: ${say("ron")}\n`.length, String(at[0]));
  });

  it("is rejected if it is not JSON and not a marker", () => {
    const decoder = chatCompletions.createStreamDecoder();
    for (const data of ["no JSON", `${say("a")} and more`, '{"choices":'])
      assert.throws(() => decoder.decode(data), UnreadableStreamError, data);
  });
});
