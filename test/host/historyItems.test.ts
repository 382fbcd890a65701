import assert from "node:assert/strict";
import { historyItems, matchItems } from "../../src/editor/history/historyItems.ts";

describe("the list of chats", () => {
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

  it("shows the connection and model that a chat uses, then other connections that answered", () => {
    const connections = ["Client A", "Client B"];
    const target = { connection: "Client B", model: "service-mini" };
    const [, used] = historyItems([{ ...summary, connections, target }]);
    assert.match(used?.description ?? "", /^Client B · service-mini · Client A/);
    // The list of an earlier version names only the connections.
    const [, earlier] = historyItems([{ ...summary, connections }]);
    assert.match(earlier?.description ?? "", /^Client A · Client B/);
  });

  it("shows no icon named in a chat's text", () => {
    const snippet = { before: "press $(", match: "trash", after: ") now" };
    const items = [...historyItems([summary]), ...matchItems([{ summary, turnId: "q1", snippet }])];
    const shown = JSON.stringify(items.map(({ label, detail }) => [label, detail]));
    assert.match(shown, /press \$ \(trash\) now/);
    assert.ok(!shown.includes("$("), shown);
  });
});
