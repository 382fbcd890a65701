import assert from "node:assert/strict";
import { ConversationDecoder, encodeRecord } from "../../../src/chat/history/log/conversationFile.ts";
import { tellFigure } from "../../support/figures.ts";
import { exchange } from "../chat/transcript/sampleEvents.ts";
import { readSharedCases, type SharedCase } from "./sharedCases.ts";

const header = encodeRecord({
  type: "conversation",
  version: 1,
  id: "c1",
  createdAt: "2026-01-01T00:00:00.000Z",
});
const events = encodeRecord({ type: "events", writer: "w", number: 1, events: exchange("1", null) });
const half = events.slice(0, events.length / 2);

/** Builders of a file with a question and its answer, damaged as the words of a case say. */
const damages: readonly (readonly [RegExp, () => Uint8Array])[] = [
  [/\bnul/, () => Buffer.concat([Buffer.from(header + events), Buffer.alloc(4096)])],
  [/bad.?utf|no utf-?8/, withBrokenByte],
  [/torn.*append|behind a torn/, () => Buffer.from(header + half + events)],
  [/torn|truncat|half|cut/, () => Buffer.from(header + events + half)],
  [/crlf|carriage/, () => Buffer.from((header + events).replaceAll("\n", "\r\n"))],
  [/\bbom\b|byte order/, () => Buffer.from(`\ufeff${header.trimStart()}${events}`)],
  [/twice|dup|repeat/, () => Buffer.from(header + events + events)],
  [/blank|empty line/, () => Buffer.from(`\n\n${header}\n\n \n${events}\n\n`)],
  [
    /newer|future|unknown/,
    () => Buffer.from(`${header}\n{"type":"of tomorrow","writer":"w","number":1}${events}`),
  ],
  [/garbage|binary/, () => Buffer.from(`${header}\n\u0001\u0002 no record${events}`)],
  [/header/, () => Buffer.from(events)],
];

function withBrokenByte(): Uint8Array {
  const bytes = Buffer.from(header + events);
  bytes.writeUInt8(0xff, bytes.indexOf("question"));
  return bytes;
}

function bytesOf({ id, why }: SharedCase): Uint8Array {
  const words = `${id} ${why}`.toLowerCase();
  const make = damages.find(([pattern]) => pattern.test(words))?.[1];
  if (make === undefined) throw new Error(`${id}: no damage matches these words`);
  return make();
}

describe("the shared cases of histories", () => {
  it("produce the expected number of turns", () => {
    const cases = readSharedCases("history");
    const missed = cases.flatMap((each) => {
      const decoder = new ConversationDecoder();
      decoder.take(bytesOf(each));
      const { length } = decoder.end().transcript.turns;
      return length === each.expect ? [] : [{ id: each.id, turns: length, expected: each.expect }];
    });
    assert.deepEqual(missed, []);
    if (cases.length > 0) tellFigure(`shared cases: history, ${cases.length} of ${cases.length} right`);
  });

  it("preserve a question and its answer in every damaged file", () => {
    for (const [pattern, make] of damages) {
      const decoder = new ConversationDecoder();
      decoder.take(make());
      assert.equal(decoder.end().transcript.turns.length, 2, String(pattern));
    }
  });
});
