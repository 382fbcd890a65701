import assert from "node:assert/strict";
import { historyItems, matchItems } from "../../src/editor/history/historyItems.ts";

describe("the list of chats", () => {
  it("shows no icon named in a chat's text", () => {
    const summary = {
      id: "id",
      title: "about $(trash)",
      pinned: false,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      connections: [],
      turns: 2,
      skipped: 0,
    };
    const snippet = { before: "press $(", match: "trash", after: ") now" };
    const items = [...historyItems([summary]), ...matchItems([{ summary, turnId: "q1", snippet }])];
    const shown = JSON.stringify(items.map(({ label, detail }) => [label, detail]));
    assert.match(shown, /press \$ \(trash\) now/);
    assert.ok(!shown.includes("$("), shown);
  });
});
