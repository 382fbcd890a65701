import * as v from "valibot";
import type { StoredConversation } from "./conversationFile.ts";
import type { FileStamp } from "../../../files/diskFiles.ts";
import { timeSchema } from "../../transcript/transcriptSchema.ts";
import { lastAnswerOf, type Transcript, visibleTurns } from "../../transcript/transcript.ts";
import { wholeStart } from "../../../text/cutText.ts";

/** Maximum UTF-16 units of a question that is used as a title. */
const maxCustomTitleLength = 120;

/** A conversation in a list. */
export interface ConversationSummary {
  readonly id: string;
  /** The user's title, or the first line of the first question, or empty. */
  readonly title: string;
  readonly pinned: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Time of the newest turn, ISO 8601. */
  readonly updatedAt: string;
  /** Up to 20 connections that answered, without duplicates, in order of their first answer. */
  readonly connections: readonly string[];
  /** The connection and model of the next question; absent if nothing was answered, or in lists of earlier versions. */
  readonly target?: { readonly connection: string; readonly model: string };
  /** Number of questions and answers in the displayed branch. */
  readonly turns: number;
  /** Number of unreadable lines and events. */
  readonly skipped: number;
}

const name = v.pipe(v.string(), v.maxLength(4096));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const summarySchema = v.object({
  id: name,
  title: name,
  pinned: v.boolean(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  connections: v.array(name),
  target: v.exactOptional(v.object({ connection: name, model: name })),
  turns: count,
  skipped: count,
}) satisfies v.GenericSchema<unknown, ConversationSummary>;

export function summarise(id: string, stored: StoredConversation, stamp: FileStamp): ConversationSummary {
  const { transcript, title, pinned, skipped } = stored;
  const { turns } = transcript;
  const times = turns.map(({ at }) => at).toSorted();
  const createdAt = stored.createdAt ?? times[0] ?? new Date(stamp.mtimeMs).toISOString();
  const connections = turns.flatMap((turn) => (turn.kind === "answer" ? [turn.connection] : []));
  const target = transcript.selection ?? lastAnswerOf(transcript);
  return {
    id,
    title: title ?? firstQuestionLine(transcript),
    pinned,
    createdAt,
    updatedAt: times.at(-1) ?? createdAt,
    connections: [...new Set(connections)].slice(0, 20),
    ...(target === undefined ? {} : { target: { connection: target.connection, model: target.model } }),
    turns: visibleTurns(transcript).length,
    skipped,
  };
}

/** Sorts by time, newest first. */
export function compareByTime(one: ConversationSummary, other: ConversationSummary): number {
  if (one.updatedAt === other.updatedAt) return one.id < other.id ? -1 : 1;
  return one.updatedAt < other.updatedAt ? 1 : -1;
}

/**
 * Returns the first line of the first nonempty question, truncated to the length of a title without splitting a
 * character.
 */
export function firstQuestionLine({ turns }: Transcript): string {
  const question = turns.filter((turn) => turn.kind === "question").find(({ text }) => text.trim() !== "");
  const said = notBlankLine(question?.text ?? "");
  // A prompt name alone does not say what the question is about.
  const isBare = question?.prompt !== undefined && said === `/${question.prompt.name}`;
  return cutTitle(isBare ? [said, question.attachments?.[0]?.name ?? ""].join(" ").trim() : said);
}

/** Returns the first nonempty line of a text, truncated like `firstQuestionLine`. */
export function firstLine(text: string): string {
  return cutTitle(notBlankLine(text));
}

function notBlankLine(text: string): string {
  return /\S[^\n\r]*/u.exec(text)?.[0].trimEnd() ?? "";
}

function cutTitle(line: string): string {
  if (line.length <= maxCustomTitleLength) return line;
  return `${wholeStart(line, maxCustomTitleLength - 1)}…`;
}

interface ConversationDay {
  /** In days of the local time zone: 0 is today. */
  readonly daysAgo: number;
  readonly conversations: readonly ConversationSummary[];
}

/** Groups a list by the day of the last turn, in the order of the list. */
export function groupByDay(
  conversations: readonly ConversationSummary[],
  now: Date,
): readonly ConversationDay[] {
  const days = new Map<string, ConversationSummary[]>();
  for (const conversation of conversations) {
    const day = dayOf(new Date(conversation.updatedAt));
    const others = days.get(day);
    if (others === undefined) days.set(day, [conversation]);
    else others.push(conversation);
  }
  const today = Date.parse(dayOf(now));
  return [...days].map(([day, some]) => ({
    // The two dates are midnight in UTC, so daylight saving time does not change the length of a day.
    daysAgo: Math.round((today - Date.parse(day)) / millisecondsPerDay),
    conversations: some,
  }));
}

const millisecondsPerDay = 24 * 60 * 60 * 1000;

function dayOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${time.getFullYear()}-${month}-${day}`;
}
