import assert from "node:assert/strict";
import type { ConversationSummary } from "../../../../../src/chat/history/log/conversationSummary.ts";
import { NameSearch } from "../../../../../src/chat/history/search/nameSearch.ts";

function summaryOf(title: string, rest: Partial<ConversationSummary> = {}): ConversationSummary {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    id: title,
    title,
    pinned: false,
    createdAt: at,
    updatedAt: at,
    connections: ["Work"],
    turns: 2,
    skipped: 0,
    ...rest,
  };
}

describe("NameSearch", () => {
  const names = new NameSearch();
  const all = [
    summaryOf("Lighthouses in winter"),
    summaryOf("Windmills"),
    summaryOf("A pinned one of winter", { pinned: true }),
    summaryOf("Ｗｉｎｔｅｒ full width", { connections: ["Client"] }),
  ];
  const find = (query: string, most = 10): readonly [readonly string[], number] => {
    const { conversations, more } = names.find(all, query, most);
    return [conversations.map(({ title }) => title), more];
  };

  it("returns all conversations if the query is empty, pinned ones first, and the number beyond the limit", () => {
    assert.deepEqual(find("  "), [
      ["A pinned one of winter", "Lighthouses in winter", "Windmills", "Ｗｉｎｔｅｒ full width"],
      0,
    ]);
    assert.deepEqual(find("", 2), [["A pinned one of winter", "Lighthouses in winter"], 2]);
  });

  it("finds every word in titles and connections, in any case and width", () => {
    assert.deepEqual(find("WINTER house"), [["Lighthouses in winter"], 0]);
    assert.deepEqual(find("winter client"), [["Ｗｉｎｔｅｒ full width"], 0]);
    assert.deepEqual(find("winter", 1), [["A pinned one of winter"], 2]);
    assert.deepEqual(find("snow"), [[], 0]);
  });

  it("finds a conversation by the connection and model that it uses, even if another answered", () => {
    const used = summaryOf("Tides", { target: { connection: "Client B", model: "vendor/model" } });
    for (const query of ["client b", "vendor/model", "tides work vendor"])
      assert.equal(names.find([used], query, 10).conversations.length, 1);
  });

  it("finds a renamed conversation only by its new title", () => {
    const renamed = { ...summaryOf("Lighthouses in winter"), title: "Of the sea" };
    assert.equal(names.find([renamed], "sea", 10).conversations.length, 1);
    assert.equal(names.find([renamed], "winter", 10).conversations.length, 0);
  });
});
