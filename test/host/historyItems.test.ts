import assert from "node:assert/strict";
import { historyItems, makeFormats, matchItems } from "../../src/editor/chat/historyItems.ts";

describe("the list of chats", () => {
  const summary = {
    id: "id",
    title: "about $(trash)",
    pinned: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    connections: ["Acme"],
    turns: 2,
    skipped: 0,
  };

  it("shows no time where there is none that can be read", () => {
    makeFormats();
    const items = [false, true].flatMap((pinned) =>
      historyItems([{ ...summary, pinned, updatedAt: "2026-01-01T00:00:00+01" }]),
    );
    const lines = items.filter(({ chatId }) => chatId !== undefined);
    assert.deepEqual(
      lines.map(({ description }) => description),
      ["Acme", "Acme"],
    );
  });

  it("shows no icon that a chat's text names", () => {
    const snippet = { before: "press $(", match: "trash", after: ") now" };
    const items = [...historyItems([summary]), ...matchItems([{ summary, turnId: "q1", snippet }])];
    const shown = JSON.stringify(items.map(({ label, detail }) => [label, detail]));
    assert.match(shown, /press \$ \(trash\) now/);
    assert.ok(!shown.includes("$("), shown);
  });
});
