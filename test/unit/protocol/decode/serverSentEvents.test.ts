import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createEventReader,
  maxEventCharacters,
  type ServerSentEvent,
} from "../../../../src/protocol/decode/serverSentEvents.ts";
import { UnreadableStreamError } from "../../../../src/protocol/conversation/wireStyle.ts";
import { cutText } from "./streamOf.ts";

/** Names and data of all events, read in pieces of the given sizes (bytes). */
function readEvents(text: string, sizes: readonly number[] = []): readonly string[] {
  const reader = createEventReader();
  const events = cutText(text, sizes).flatMap((piece) => reader.feed(piece));
  return [...events, ...reader.end()].map(toText);
}

function toText({ event, data }: ServerSentEvent): string {
  return `${event ?? ""}|${data}`;
}

describe("createEventReader", () => {
  for (const [name, end] of Object.entries({ LF: "\n", CRLF: "\r\n", CR: "\r" })) {
    it(`reads lines ending in ${name} without waiting for the next line`, () => {
      const text = `event: tick${end}data: one${end}${end}: a comment${end}${end}data:two${end}data: three${end}${end}`;
      const events = createEventReader().feed(new TextEncoder().encode(text));
      assert.deepEqual(events.map(toText), ["tick|one", "|two\nthree"]);
    });

    it(`ends an event after an object if another data line follows, with lines ending in ${name}`, () => {
      const text = `data: {"a":1}${end}data: {"b":2}${end}${end}`;
      const events = createEventReader().feed(new TextEncoder().encode(text));
      assert.deepEqual(events.map(toText), ['|{"a":1}', '|{"b":2}']);
    });
  }

  it("ignores a byte order mark, comments, IDs, and retry times", () => {
    assert.deepEqual(readEvents("\uFEFFretry: 10\nid: 7\n:\ndata: x\n\n:ping\n\n"), ["|x"]);
  });

  it("keeps U+2028 and characters split between reads", () => {
    assert.deepEqual(readEvents("data: a\u2028b ÷ 漢 😀\n\n", [8, 1, 1, 4, 1, 1, 1, 3, 1]), [
      "|a\u2028b ÷ 漢 😀",
    ]);
  });

  it("replaces invalid UTF-8, also at the end of the stream", () => {
    const reader = createEventReader();
    const bytes = [...Buffer.from("data: a"), 0xff, 0xe6, 0xbc, ...Buffer.from("\n\ndata: b"), 0xe6, 0xbc];
    const events = bytes.flatMap((byte) => reader.feed(Uint8Array.of(byte)));
    assert.deepEqual([...events, ...reader.end()].map(toText), ["|a\uFFFD\uFFFD", "|b\uFFFD"]);
  });

  it("returns the last event if its empty line or line end is missing", () => {
    assert.deepEqual(readEvents("data: one\n\ndata: two\n"), ["|one", "|two"]);
    assert.deepEqual(readEvents("data: one\n\ndata: two"), ["|one", "|two"]);
    assert.deepEqual(readEvents("data: one\r\rdata: two\r"), ["|one", "|two"]);
  });

  it("reads a field named error as an event of that name, also byte by byte", () => {
    const text = 'data: one\n\nerror: {"message":"no"}\n\n';
    assert.deepEqual(readEvents(text, Array(text.length).fill(1)), ["|one", 'error|{"message":"no"}']);
  });

  it("throws on a line above its limit", () => {
    const reader = createEventReader();
    const piece = new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}`);
    assert.throws(() => {
      for (let held = 0; held <= maxEventCharacters; held += piece.length) reader.feed(piece);
    }, UnreadableStreamError);
  });

  it("counts its limit in UTF-16 code units, not in bytes", () => {
    const text = `data: ${"漢".repeat(maxEventCharacters / 2)}${"😀".repeat(maxEventCharacters / 8)}\n\n`;
    const sizes = Array.from({ length: 300 }, () => 65_521);
    assert.deepEqual(
      readEvents(text + text, sizes).map((event) => event.length),
      [text.length - 7, text.length - 7],
    );
  });

  it("throws on an event of many lines above its limit, after returning earlier events", () => {
    const reader = createEventReader();
    const lines = `data: ok\n\n${`data: ${"x".repeat(1000)}\n`.repeat(1024)}`;
    const feed = (text: string): number => reader.feed(new TextEncoder().encode(text)).length;
    assert.equal(feed(lines), 1);
    assert.throws(() => {
      for (let count = 0; count < 5; count += 1) feed(lines.slice(10));
    }, UnreadableStreamError);
  });

  it("reads the same events in reads of any size", () => {
    const line = fc.constantFrom(
      "data: x",
      "data:{}",
      "data: ÷😀",
      "event: e",
      "id: 1",
      ": c",
      ":",
      "",
      "error: e",
      "odd",
      "retry: 5",
    );
    const streams = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")));
    fc.assert(
      fc.property(streams, fc.array(fc.integer({ min: 1, max: 9 })), (lines, sizes) => {
        const text = lines.flat().join("");
        assert.deepEqual(readEvents(text, sizes), readEvents(text));
      }),
    );
  });

  it("accepts any bytes below its limit", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        const reader = createEventReader();
        for (const piece of pieces) reader.feed(piece);
        reader.end();
      }),
    );
  });
});
