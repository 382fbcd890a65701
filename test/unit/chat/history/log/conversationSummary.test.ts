import assert from "node:assert/strict";
import {
  type ConversationSummary,
  groupByDay,
} from "../../../../../src/chat/history/log/conversationSummary.ts";

const continued = (id: string, time: Date): ConversationSummary => ({
  id,
  title: id,
  pinned: false,
  createdAt: time.toISOString(),
  updatedAt: time.toISOString(),
  connections: [],
  turns: 2,
  skipped: 0,
});

describe("groupByDay", () => {
  it("groups by local days, at any hour and across a daylight saving change", () => {
    const days = groupByDay(
      [
        continued("now", new Date(2026, 2, 30, 0, 1)),
        continued("late", new Date(2026, 2, 29, 23, 59)),
        continued("early", new Date(2026, 2, 29, 0, 0)),
        continued("old", new Date(2025, 11, 31, 12)),
      ],
      new Date(2026, 2, 30, 23),
    );
    assert.deepEqual(
      days.map(({ daysAgo, conversations }) => [daysAgo, conversations.map(({ id }) => id)]),
      [
        [0, ["now"]],
        [1, ["late", "early"]],
        [89, ["old"]],
      ],
    );
    assert.deepEqual(groupByDay([], new Date()), []);
  });
});
