import type { Endings, Fault } from "../fault.ts";
import { firstText } from "../goodAnswers.ts";
import { chunkedHead, chunkOf, headOf, lastChunk, openHead, sizedHead } from "../rawAnswers.ts";

const broken: Endings = { chat: "interrupted", whole: "interrupted", list: "interrupted" };
/** A stream is complete with its own end, whatever follows. */
const wholeInAChat: Endings = { ...broken, chat: "works" };
/** The client waits only briefly for data after a stream's end. */
const closingOrIdle: Fault["limit"] = { chat: "closing", whole: "idle", list: "idle" };

/** Sends the first text correctly, then a malformed chunk. */
function spoiledChunks(name: string, spoiled: string): Fault {
  return {
    name,
    ends: { chat: "server-error", whole: "server-error", list: "server-error" },
    text: firstText,
    answer: async (line, { body, bodyRead }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes.subarray(0, body.marks.firstText)));
      await bodyRead;
      await line.send(spoiled);
    },
  };
}

/** Sends the whole answer with invalid headers. */
function spoiledHead(name: string, fields: string): Fault {
  return {
    name,
    ends: "server-error",
    answer: async (line, { body }) => {
      await line.send(`HTTP/1.1 200 OK\r\ncontent-type: ${body.contentType}\r\n${fields}\r\n\r\n`);
      await line.send(body.bytes);
    },
  };
}

export const lengths: readonly Fault[] = [
  {
    name: "a length greater than the body, then a close",
    ends: wholeInAChat,
    answer: async (line, { body, bodyRead }) => {
      await line.send(sizedHead(body, body.bytes.length + 100));
      await line.send(body.bytes);
      await bodyRead;
      line.end();
    },
  },
  {
    name: "a length greater than the body, then silence",
    ends: { chat: "works", whole: "timeout", list: "timeout" },
    limit: closingOrIdle,
    answer: async (line, { body }) => {
      await line.send(sizedHead(body, body.bytes.length + 100));
      await line.send(body.bytes);
    },
  },
  {
    name: "a length less than the body",
    ends: broken,
    text: firstText,
    answer: async (line, { body }) => {
      await line.send(sizedHead(body, body.marks.midEvent));
      await line.send(body.bytes);
    },
  },
  spoiledHead("two different lengths", "content-length: 10\r\ncontent-length: 20"),
  spoiledHead("both a length and chunks", "content-length: 10\r\ntransfer-encoding: chunked"),
  spoiledHead("a length that is not a number", "content-length: many"),
  spoiledHead("a negative length", "content-length: -1"),
  spoiledHead("a header without a colon", "no colon here"),
  spoiledHead("a header with a NUL character", "x-nul: a\0b"),
  spoiledChunks("a chunk whose size is not a number", "size\r\nxxxx\r\n"),
  spoiledChunks("a chunk longer than its size", "4\r\nxxxxxxxxxxxx\r\n0\r\n\r\n"),
  spoiledChunks("a chunk whose size is too large for any number type", `${"f".repeat(40)}\r\nx`),
  {
    name: "a chunk shorter than its size, then a close",
    ends: broken,
    text: firstText,
    answer: async (line, { body, bodyRead }) => {
      await line.send(chunkedHead(body));
      await line.send("ffff\r\n");
      await line.send(body.bytes.subarray(0, body.marks.firstText));
      await bodyRead;
      line.end();
    },
  },
  {
    name: "no last chunk, then a close",
    ends: wholeInAChat,
    answer: async (line, { body, bodyRead }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes));
      await bodyRead;
      line.end();
    },
  },
  {
    name: "no last chunk, then silence",
    ends: { chat: "works", whole: "timeout", list: "timeout" },
    limit: closingOrIdle,
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes));
    },
  },
  {
    name: "every byte in its own chunk",
    ends: "works",
    keepsLine: true,
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      for (const byte of body.bytes) await line.send(chunkOf(Uint8Array.of(byte)));
      await line.send(lastChunk);
    },
  },
  {
    name: "no length, so the end of the connection ends the body",
    ends: "works",
    answer: async (line, { body }) => {
      await line.send(openHead(body.contentType));
      line.end(body.bytes);
    },
  },
  {
    name: "an HTTP/1.0 answer",
    ends: "works",
    answer: async (line, { body }) => {
      await line.send(`HTTP/1.0 200 OK\r\ncontent-type: ${body.contentType}\r\n\r\n`);
      line.end(body.bytes);
    },
  },
  {
    name: "a connection that closes after each answer",
    ends: "works",
    answer: async (line, { body }) => {
      await line.send(sizedHead(body, body.bytes.length, { connection: "close" }));
      line.end(body.bytes);
    },
  },
  {
    name: "a second answer to the same request",
    ends: "works",
    answer: async (line, { body }) => {
      await line.send(sizedHead(body));
      await line.send(body.bytes);
      await line.send(headOf("500 Nobody asked", { "content-length": 0 }));
    },
  },
];
