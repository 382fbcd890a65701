import type { Endings, Fault } from "../fault.ts";
import { firstText, type GoodBody } from "../goodAnswers.ts";
import type { Line } from "../line.ts";
import { chunkedHead, chunkOf, openHead, lastChunk } from "../rawAnswers.ts";

const manners = [
  { manner: "reset", finish: (line: Line) => line.reset() },
  { manner: "closed", finish: (line: Line) => line.end() },
] as const;

/** The answer breaks off before its head or inside it. */
const headPhases = [
  { phase: "before the status line", sent: "" },
  { phase: "in the status line", sent: "HTTP/1.1 2" },
  { phase: "in the headers", sent: "HTTP/1.1 200 OK\r\ncontent-ty" },
] as const;

const broken: Endings = { chat: "interrupted", whole: "interrupted", list: "interrupted" };

/** A stream counts as complete after its finish reason, but JSON in one piece only after its last byte. */
const wholeInAChat: Endings = { ...broken, chat: "works" };

const bodyPhases: readonly {
  readonly phase: string;
  readonly mark: keyof GoodBody["marks"];
  readonly ends: Endings;
  readonly text: { readonly text?: string };
}[] = [
  { phase: "after the first text", mark: "firstText", ends: broken, text: { text: firstText } },
  { phase: "in an event", mark: "midEvent", ends: broken, text: { text: firstText } },
  { phase: "in a character", mark: "midCharacter", ends: broken, text: { text: firstText } },
  { phase: "after the finish reason", mark: "finish", ends: wholeInAChat, text: {} },
  { phase: "before the last event", mark: "beforeEnd", ends: { chat: "works" }, text: {} },
];

export const breaks: readonly Fault[] = [
  ...manners.flatMap(({ manner, finish }): readonly Fault[] => [
    { name: `${manner} as soon as the connection opens`, ends: "network", connect: finish },
    ...headPhases.map(({ phase, sent }): Fault => {
      const answer = async (line: Line): Promise<void> => {
        await line.send(sent);
        finish(line);
      };
      return { name: `${manner} ${phase}`, ends: "network", answer };
    }),
    {
      name: `${manner} after the headers`,
      ends: broken,
      answer: async (line, { body, headRead }) => {
        await line.send(chunkedHead(body));
        await headRead;
        finish(line);
      },
    },
    ...bodyPhases.map(({ phase, mark, ends, text }): Fault => ({
      name: `${manner} ${phase}`,
      ends,
      ...text,
      answer: async (line, { body, bodyRead }) => {
        await line.send(chunkedHead(body));
        await line.send(chunkOf(body.bytes.subarray(0, body.marks[mark])));
        await bodyRead;
        finish(line);
      },
    })),
  ]),
  {
    name: "closed in an event of an answer without a length",
    ends: broken,
    text: firstText,
    answer: async (line, { body }) => {
      await line.send(openHead(body.contentType));
      line.end(body.bytes.subarray(0, body.marks.midEvent));
    },
  },
  {
    name: "a complete HTTP body without the end of the stream",
    ends: broken,
    text: firstText,
    keepsLine: true,
    answer: async (line, { body }) => {
      await line.send(chunkedHead(body));
      await line.send(chunkOf(body.bytes.subarray(0, body.marks.firstText)));
      await line.send(lastChunk);
    },
  },
  {
    name: "a pooled connection that is closed while unused",
    ends: "works",
    pooled: true,
    whileWaiting: (line) => line.end(),
  },
  {
    name: "a pooled connection that is reset at the next request",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    pooled: true,
    times: 1,
    answer: (line) => line.reset(),
  },
  {
    name: "a pooled connection that is closed at the next request",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    pooled: true,
    times: 1,
    answer: (line) => line.end(),
  },
  {
    name: "two attempts reset, the third answered",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    times: 2,
    answer: (line) => line.reset(),
  },
];
