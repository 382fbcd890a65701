import type { Endings, Fault } from "../fault.ts";
import { firstText } from "../goodAnswers.ts";
import { chunkedHead, chunkOf, openHead, sizedHead } from "../rawAnswers.ts";

const dripMs = 20;
const late: Endings = { chat: "timeout", whole: "timeout", list: "timeout" };

/** Answers that come too slowly or not at all. */
export const slowness: readonly Fault[] = [
  { name: "silence instead of an answer", ends: "timeout", limit: "headers", answer: () => undefined },
  {
    name: "a status line that comes byte by byte",
    ends: "timeout",
    limit: "headers",
    slow: true,
    answer: async (line) => {
      await line.send("HTTP/1.1 200 O");
      await line.drip("O", dripMs);
    },
  },
  {
    name: "headers that come byte by byte",
    ends: "timeout",
    limit: "headers",
    answer: async (line) => {
      await line.send("HTTP/1.1 200 OK\r\nx-slow: ");
      await line.drip("o", dripMs);
    },
  },
  {
    name: "silence after the headers",
    ends: late,
    limit: "idle",
    slow: true,
    answer: (line, { body }) => line.send(chunkedHead(body)),
  },
  {
    name: "silence after the first text",
    ends: late,
    text: firstText,
    limit: "idle",
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes.subarray(0, body.marks.firstText)));
    },
  },
  {
    name: "silence in an event",
    ends: late,
    text: firstText,
    limit: "idle",
    slow: true,
    answer: async (line, { body }) => {
      await line.send(sizedHead(body));
      await line.send(body.bytes.subarray(0, body.marks.midEvent));
    },
  },
  {
    name: "silence after the finish reason",
    ends: { chat: "works" },
    limit: "closing",
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes.subarray(0, body.marks.finish)));
    },
  },
  {
    name: "endless comments, one at a time",
    ends: "timeout",
    limit: "total",
    slow: true,
    answer: async (line) => {
      await line.send(openHead("text/event-stream"));
      await line.drip(": still here\n\n", dripMs);
    },
  },
  {
    name: "endless comments after the first text, one at a time",
    ends: { chat: "timeout" },
    text: firstText,
    limit: "total",
    answer: async (line, { body }) => {
      await line.send(openHead("text/event-stream"));
      await line.send(body.bytes.subarray(0, body.marks.firstText));
      await line.drip(": still here\n\n", dripMs);
    },
  },
  {
    name: "JSON that comes byte by byte",
    ends: late,
    limit: "total",
    slow: true,
    answer: async (line) => {
      await line.send(`${openHead("application/json")}{"data":"`);
      await line.drip("x", dripMs);
    },
  },
  {
    name: "an error status whose body does not come",
    ends: "overloaded",
    limit: "closing",
    answer: (line) => line.send("HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\n"),
  },
];
