import type { ConversationSummary } from "./log/conversationSummary.ts";

interface ConversationDay {
  /** By the days where the reader is: 0 is today. */
  readonly daysAgo: number;
  readonly conversations: readonly ConversationSummary[];
}

/** A list by the days its conversations were last continued on, in the order of the list. */
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
    // Both are midnight by UTC, so that a change to summer time makes no day shorter.
    daysAgo: Math.round((today - Date.parse(day)) / millisecondsPerDay),
    conversations: some,
  }));
}

const millisecondsPerDay = 24 * 60 * 60 * 1000;

function dayOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${time.getFullYear()}-${month}-${day}`;
}
