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

/** JSON in one piece is complete only with its last byte. */
const wholeInAChat: Endings = { ...broken, chat: "works" };

const bodyPhases: readonly {
  readonly phase: string;
  readonly mark: keyof GoodBody["marks"];
  readonly ends: Endings;
  readonly text: { readonly text?: string };
}[] = [
  { phase: "behind the first text", mark: "firstText", ends: broken, text: { text: firstText } },
  { phase: "in an event", mark: "midEvent", ends: broken, text: { text: firstText } },
  { phase: "in a character", mark: "midCharacter", ends: broken, text: { text: firstText } },
  { phase: "behind the finish reason", mark: "finish", ends: wholeInAChat, text: {} },
  { phase: "in front of the last event", mark: "beforeEnd", ends: { chat: "works" }, text: {} },
];

export const breaks: readonly Fault[] = [
  ...manners.flatMap(({ manner, finish }): readonly Fault[] => [
    { name: `${manner} as soon as it is connected`, ends: "network", connect: finish },
    ...headPhases.map(({ phase, sent }): Fault => {
      const answer = async (line: Line): Promise<void> => {
        await line.send(sent);
        finish(line);
      };
      return { name: `${manner} ${phase}`, ends: "network", answer };
    }),
    {
      name: `${manner} behind the headers`,
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
    name: "closed in an event, where nothing says how long the answer is",
    ends: broken,
    text: firstText,
    answer: async (line, { body }) => {
      await line.send(openHead(body.contentType));
      line.end(body.bytes.subarray(0, body.marks.midEvent));
    },
  },
  {
    name: "an orderly end without the answer's own",
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
    name: "a pooled connection that is closed while it waits",
    ends: "works",
    pooled: true,
    whileWaiting: (line) => line.end(),
  },
  {
    name: "a pooled connection that is reset with the next request",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    pooled: true,
    times: 1,
    answer: (line) => line.reset(),
  },
  {
    name: "a pooled connection that is closed with the next request",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    pooled: true,
    times: 1,
    answer: (line) => line.end(),
  },
  {
    name: "two tries reset, the third answered",
    ends: { chat: "works", whole: "network", list: "works", check: "network" },
    times: 2,
    answer: (line) => line.reset(),
  },
];
