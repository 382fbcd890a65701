import assert from "node:assert/strict";
import * as v from "valibot";
import { encodeRecord } from "../../../../../src/chat/history/log/conversationFile.ts";
import {
  convertConversationToJson,
  convertJsonToConversation,
  type PortableConversation,
} from "../../../../../src/chat/history/export/portableConversation.ts";
import {
  convertConversationToMarkdown,
  convertMarkdownToConversation,
} from "../../../../../src/chat/history/export/conversationMarkdown.ts";
import { summarise, summarySchema } from "../../../../../src/chat/history/log/conversationSummary.ts";
import { timeSchema } from "../../../../../src/chat/transcript/transcriptSchema.ts";
import { decodeConversation } from "../sampleConversation.ts";
import { exchange, reduce } from "../../transcript/sampleEvents.ts";

const usual = "2026-01-01T00:00:00.000Z";
/** Valid in ISO 8601, but `Date` can't parse it. */
const bare = "2026-01-01T00:00:00+01";
const readable = "2026-01-01T00:00:00+01:00";
const withBareTimes = (text: string): string => text.replaceAll(usual, bare);

const timesOf = (read: PortableConversation | undefined) => [
  read?.createdAt,
  ...(read?.transcript.turns ?? []).map(({ at }) => at),
];

describe("a time whose offset has no minutes", () => {
  const conversation: PortableConversation = {
    title: null,
    pinned: false,
    createdAt: usual,
    transcript: reduce(exchange("1", null)),
  };
  it("is converted to a time that Date can parse", () => {
    assert.ok(Number.isNaN(Date.parse(bare)) && !Number.isNaN(Date.parse(readable)));
    assert.equal(v.parse(timeSchema, bare), readable);
    for (const offset of ["Z", "+0130", "-01:30", "-11"]) {
      const time = v.parse(timeSchema, `2026-01-01T00:00:00.5${offset}`);
      assert.ok(!Number.isNaN(Date.parse(time)), time);
    }
    for (const other of ["", "yesterday", "2026-13-01T00:00:00Z", `${bare}:`, 7, null])
      assert.ok(!v.safeParse(timeSchema, other).success, String(other));
  });

  it("is read in a stored chat and in the index", () => {
    const records = [
      encodeRecord({ type: "conversation", version: 1, id: "id", createdAt: usual }),
      encodeRecord({ type: "events", writer: "one", number: 1, events: exchange("1", null) }),
    ];
    const stored = decodeConversation(Buffer.from(withBareTimes(records.join("").trimStart())));
    assert.equal(stored.skipped, 0);
    assert.deepEqual(
      stored.transcript.turns.map(({ id, at }) => [id, at]),
      [
        ["q1", readable],
        ["a1", readable],
      ],
    );
    const summary = summarise("id", stored, { size: 1, mtimeMs: 0 });
    assert.deepEqual([summary.createdAt, summary.updatedAt], [readable, readable]);
    // As in the index of an earlier version.
    const indexed = { ...summary, createdAt: bare, updatedAt: bare };
    assert.deepEqual(v.parse(summarySchema, indexed), summary);
  });

  it("is read in an exported conversation", () => {
    const json = convertJsonToConversation(withBareTimes(convertConversationToJson(conversation)));
    const markdown = convertMarkdownToConversation(
      withBareTimes(convertConversationToMarkdown(conversation, "Title")),
      () => "id",
    );
    for (const read of [json, markdown]) assert.deepEqual(timesOf(read), [readable, readable, readable]);
  });
});
