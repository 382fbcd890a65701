import {
  maxAnswerCharacters,
  maxBarrenBytes,
  maxErrorBytes,
  maxJsonBytes,
  maxRestBytes,
  maxStreamBytes,
} from "../../../../src/client/http/body.ts";
import { maxHeaderSize } from "../../../../src/client/transport/undiciAgent.ts";
import { maxEventCharacters } from "../../../../src/protocol/decode/serverSentEvents.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import type { Ending, Endings, Fault } from "../fault.ts";
import { firstText, frameOf, fullText, streamedBody, textEvent } from "../goodAnswers.ts";
import { chunkedHead, chunkOf, lastChunk, openHead } from "../rawAnswers.ts";

const megabyte = 1024 * 1024;
/** Bytes that sockets and pipes may hold beyond what the client has read. */
const inTransit = 12 * megabyte;

/**
 * Sends the start, then repeats the piece until the connection closes. The client should read at most `limit` bytes.
 */
function flood(
  name: string,
  ends: Ending | Endings,
  [start, piece]: readonly [string, string],
  limit: number,
  more: Partial<Fault> = {},
): Fault {
  return {
    name,
    ends,
    ...more,
    answer: async (line, { poured }) => {
      await line.send(start);
      poured(await line.flood(piece), limit + inTransit);
    },
  };
}

const events = openHead("text/event-stream");
const json = openHead("application/json");
const tooMuch = "server-error";

/** Characters of text in an event that is almost only text. */
const denseLength = 16_384;

/** An event with one character of text and much padding, so that the limit in bytes ends the answer. */
const paddedText = (style: ClientStyle): string => `${textEvent(style, "x")}: ${"x".repeat(16_384)}\n\n`;

/** Streams this many small events and then ends correctly. */
function manyEvents(name: string, count: number, piece: "x" | ""): Fault {
  return {
    name,
    ends: { chat: "works" },
    text: piece.repeat(count),
    slow: true,
    keepsLine: true,
    answer: async (line, { style, body }) => {
      const { opening, closing } = frameOf(style);
      const event = piece === "" ? "data: {}\n\n" : textEvent(style, piece);
      await line.send(chunkedHead(body));
      // An empty chunk would end the body.
      if (opening !== "") await line.send(chunkOf(opening));
      const bundle = chunkOf(event.repeat(1000));
      for (let sent = 0; sent < count; sent += 1000) await line.send(bundle);
      await line.send(chunkOf(closing.join("")));
      await line.send(lastChunk);
    },
  };
}

export const floods: readonly Fault[] = [
  flood("endless header lines", tooMuch, ["HTTP/1.1 200 OK\r\n", "x-more: again\r\n"], maxHeaderSize),
  flood("an endless header line", tooMuch, ["HTTP/1.1 200 OK\r\nx-more: ", "again"], maxHeaderSize),
  flood("an endless header name", tooMuch, ["HTTP/1.1 200 OK\r\n", "again"], maxHeaderSize),
  flood("endless comments", tooMuch, [events, ": still here\n\n"], maxBarrenBytes),
  flood("endless blank lines", tooMuch, [events, "\n"], maxBarrenBytes, { slow: true }),
  flood("endless events without content", tooMuch, [events, 'data: {"choices":[]}\n\n'], maxBarrenBytes, {
    slow: true,
  }),
  flood("an endless line", tooMuch, [`${events}data: `, "x"], 2 * maxEventCharacters),
  flood("an endless event of many lines", tooMuch, [events, "data: xxxxxxxx\n"], 2 * maxEventCharacters),
  flood("an endless event name", tooMuch, [`${events}event: `, "x"], 2 * maxEventCharacters),
  flood("endless JSON", tooMuch, [`${json}[`, "0,"], maxJsonBytes),
  flood("endless spaces before JSON", tooMuch, [json, " "], maxBarrenBytes),
  flood(
    "endless plain text",
    { chat: "not-an-api", whole: "not-an-api", list: tooMuch },
    [openHead("text/plain"), "lorem ipsum "],
    maxJsonBytes,
  ),
  flood(
    "an error status with an endless body",
    "overloaded",
    ["HTTP/1.1 503 Busy\r\nconnection: close\r\n\r\n", "x"],
    maxErrorBytes,
  ),
  {
    name: "endless text",
    ends: { chat: tooMuch },
    text: /^x{1000,}$/,
    slow: true,
    answer: async (line, { style, poured }) => {
      await line.send(events + frameOf(style).opening);
      poured(await line.flood(paddedText(style)), maxStreamBytes + inTransit);
    },
  },
  {
    name: "endless text in large events",
    ends: { chat: tooMuch },
    text: /^x{1000}/,
    slow: true,
    answer: async (line, { style, poured }) => {
      await line.send(events + frameOf(style).opening);
      const piece = textEvent(style, "x".repeat(denseLength));
      poured(await line.flood(piece), maxAnswerCharacters * 1.1 + inTransit);
    },
  },
  {
    name: "endless text after the answer's end",
    ends: { chat: "works", whole: "works" },
    text: fullText,
    answer: async (line, { style, poured }) => {
      await line.send(events);
      await line.send(streamedBody(style).bytes);
      poured(await line.flood(textEvent(style, "more ")), maxRestBytes + inTransit);
    },
  },
  {
    name: "endless comments after the finish reason",
    ends: { chat: "works", whole: "works" },
    text: fullText,
    answer: async (line, { style, poured }) => {
      const { bytes, marks } = streamedBody(style);
      await line.send(events);
      await line.send(bytes.subarray(0, marks.finish));
      poured(await line.flood(": still here\n\n"), maxRestBytes + inTransit);
    },
  },
  {
    name: "endless text after the finish reason",
    ends: { chat: tooMuch },
    text: /^Hällo wörldx{1000,}$/,
    slow: true,
    answer: async (line, { style, poured }) => {
      const { bytes, marks } = streamedBody(style);
      await line.send(events);
      await line.send(bytes.subarray(0, marks.finish));
      poured(await line.flood(paddedText(style)), maxStreamBytes + inTransit);
    },
  },
  {
    name: "an endless event after the first text",
    ends: { chat: tooMuch },
    text: firstText,
    answer: async (line, { body, poured }) => {
      await line.send(events);
      await line.send(body.bytes.subarray(0, body.marks.firstText));
      await line.send("data: ");
      poured(await line.flood("x"), 2 * maxEventCharacters + inTransit);
    },
  },
  {
    name: "an event of 100 MB",
    ends: tooMuch,
    answer: async (line, { poured }) => {
      await line.send(`${events}data: "`);
      let sent = 0;
      for (; sent < 100 * megabyte && !line.isClosed; sent += megabyte) await line.send("x".repeat(megabyte));
      poured(sent, 2 * maxEventCharacters + inTransit);
      line.end('"\n\n');
    },
  },
  manyEvents("a million events of one character", 1_000_000, "x"),
  manyEvents("a million events without content", 1_000_000, ""),
  {
    name: "an endless chunk extension",
    ends: { chat: "timeout", whole: "timeout", list: "timeout" },
    limit: "total",
    slow: true,
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      await line.send("5;note=");
      await line.flood("x");
    },
  },
  {
    name: "endless trailers",
    ends: { chat: "works", whole: tooMuch, list: tooMuch },
    answer: async (line, { body, bodyRead, poured }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes));
      await bodyRead;
      await line.send("0\r\n");
      poured(await line.flood("x-more: again\r\n"), maxHeaderSize + inTransit);
    },
  },
  {
    name: "endless early hints",
    ends: "timeout",
    limit: "total",
    slow: true,
    answer: async (line) => line.drip("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 10),
  },
];
