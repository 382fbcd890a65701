import assert from "node:assert/strict";
import fc from "fast-check";
import { type Attachment, attachmentLimits } from "../../../../../src/chat/transcript/attachments.ts";
import {
  ConversationDecoder,
  encodeRecord,
  isReadable,
  type StoredConversation,
} from "../../../../../src/chat/history/log/conversationFile.ts";
import type { ConversationRecord } from "../../../../../src/chat/history/log/conversationRecord.ts";
import { PendingRecords } from "../../../../../src/chat/history/log/conversationLog.ts";
import { type TranscriptEvent, visibleTurns } from "../../../../../src/chat/transcript/transcript.ts";
import { anyEvents, decodeConversation, textsOf } from "../sampleConversation.ts";
import {
  abandoned,
  asked,
  completed,
  exchange,
  reduce,
  started,
  text,
} from "../../transcript/sampleEvents.ts";

const header: ConversationRecord = {
  type: "conversation",
  version: 1,
  id: "00000000-0000-4000-8000-000000000000",
  createdAt: "2026-01-01T00:00:00.000Z",
};

const eventsOf = (number: number, events: readonly TranscriptEvent[], writer = "one"): string =>
  encodeRecord({ type: "events", writer, number, events });

const decode = (...lines: readonly string[]): StoredConversation =>
  decodeConversation(Buffer.from([encodeRecord(header).trimStart(), ...lines].join("")));

/** The lines that a log writes for these batches of events. */
function linesOf(batches: readonly (readonly TranscriptEvent[])[], writer = "one"): string[] {
  const lines: string[] = [];
  for (const batch of batches) {
    const pending = new PendingRecords();
    for (const event of batch) pending.addEvent(event);
    for (let record = pending.take(); record !== undefined; record = pending.take())
      lines.push(encodeRecord({ ...record, writer, number: lines.length + 1 }));
  }
  return lines;
}

const includes = (number: number, included: boolean): string =>
  encodeRecord({ type: "meta", writer: "one", number, question: { turnId: "q1", included } });

function withAttachments(event: TranscriptEvent, attachments: readonly Attachment[]): TranscriptEvent {
  return event.type === "question-asked" ? { ...event, turn: { ...event.turn, attachments } } : event;
}

const anyBatches = fc.array(anyEvents, { maxLength: 5, size: "max" });

describe("a conversation file", () => {
  it("is read in chunks of any size, with any division into records", () => {
    fc.assert(
      fc.property(anyBatches, fc.integer({ min: 1, max: 200 }), (batches, step) => {
        const bytes = Buffer.from(encodeRecord(header).trimStart() + linesOf(batches).join(""));
        const decoder = new ConversationDecoder();
        for (let start = 0; start < bytes.length; start += step) {
          // Overwrite the piece afterward, like a reader that reuses its buffer.
          const piece = Buffer.from(bytes.subarray(start, start + step));
          decoder.take(piece);
          piece.fill(0);
        }
        const stored = decoder.end();
        assert.deepEqual(stored.transcript, abandoned(batches.flat()));
        assert.equal(stored.skipped, 0);
      }),
      { numRuns: 500 },
    );
  });

  it("joins adjacent texts into one event", () => {
    const [line] = linesOf([[text("a"), text("b"), { type: "reasoning-delta", text: "c" }, text("d")]]);
    assert.deepEqual(JSON.parse(line ?? "").events, [
      text("ab"),
      { type: "reasoning-delta", text: "c" },
      text("d"),
    ]);
  });

  it("loses only a torn line, cut at any byte, and keeps the lines after it", () => {
    const whole = [
      ...exchange("1", null, "Füße – 漢字 🙂"),
      asked("q2", "a1"),
      started("a2", "q2"),
      text("half 🙂"),
    ];
    const before = encodeRecord(header).trimStart() + eventsOf(1, whole);
    const torn = Buffer.from(eventsOf(2, [text(" then 🙂 more"), completed]));
    for (let length = 0; length <= torn.length; length += 1) {
      const file = Buffer.concat([Buffer.from(before), torn.subarray(0, length)]);
      const stored = decodeConversation(file);
      const isWhole = length === torn.length;
      const expected = isWhole ? reduce([...whole, text(" then 🙂 more"), completed]) : abandoned(whole);
      assert.deepEqual(stored.transcript, expected, `cut after ${length} bytes`);
      assert.equal(stored.skipped, length <= 1 || isWhole ? 0 : 1, `cut after ${length} bytes`);
      const next = Buffer.from(eventsOf(1, exchange("3", "a2"), "two"));
      const continued = decodeConversation(Buffer.concat([file, next]));
      assert.equal(textsOf(continued)["a3"], "answer 3", `cut after ${length} bytes`);
      assert.deepEqual(
        visibleTurns(continued.transcript).map(({ id }) => id),
        ["q1", "a1", "q2", "a2", "q3", "a3"],
      );
    }
  });

  it("keeps finished answers and marks unfinished ones as interrupted, wherever the file is cut off", () => {
    const lines = linesOf([
      exchange("1", null),
      [asked("q2", "a1"), started("a2", "q2")],
      [text("second")],
      [completed],
    ]);
    const bytes = Buffer.from(encodeRecord(header).trimStart() + lines.join(""));
    const ends = lines.map(
      (_, index) => Buffer.from(encodeRecord(header).trimStart() + lines.slice(0, index + 1).join("")).length,
    );
    for (let length = 0; length <= bytes.length; length += 1) {
      const { transcript } = decodeConversation(bytes.subarray(0, length));
      const [first = 0, , , last = 0] = ends;
      if (length >= first) assert.deepEqual(transcript.turns.slice(0, 2), reduce(exchange("1", null)).turns);
      const state = transcript.turns.find(({ id }) => id === "a2");
      if (state?.kind !== "answer") continue;
      assert.equal(state.state.kind, length >= last ? "complete" : "interrupted");
    }
  });

  it("keeps its intact lines and causes no exception if it is damaged", () => {
    // These IDs differ so much that random damage is unlikely to turn one into another.
    const names = ["alpha", "bravo", "gamma", "delta"];
    const lines = linesOf(names.map((name) => exchange(name, null)));
    const file = Buffer.from(encodeRecord(header).trimStart() + lines.join(""));
    const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const damaged = Buffer.from(file);
        for (const [place, byte] of changes) damaged[place] = byte;
        const stored = decodeConversation(damaged);
        let offset = Buffer.byteLength(encodeRecord(header).trimStart());
        for (const [index, line] of lines.entries()) {
          const end = offset + Buffer.byteLength(line);
          const [from, to] = [offset, end];
          // The line break at the start of the next line ends this line.
          const whole = changes.every(([place]) => place < from || place > to);
          if (whole) assert.equal(textsOf(stored)[`a${names[index]}`], `answer ${names[index]}`);
          offset = end;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("causes no exception, whatever bytes or JSON it contains", () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 8 }),
      fc
        .object({ key: fc.constantFrom("type", "events", "writer", "number", "turn", "__proto__") })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(line), fc.uint8Array({ maxLength: 200 }), (lines, bytes) => {
        decodeConversation(Buffer.concat([Buffer.from(lines.join("\n")), bytes]));
      }),
      { numRuns: 2000 },
    );
  });

  it("does not hang on hostile files", () => {
    const deep = `\n${"[".repeat(5_000_000)}`;
    const questions = Array.from({ length: 40_000 }, (_, index) =>
      eventsOf(index + 1, [asked(`q${index}`, null, "")]),
    );
    const writers = Array.from({ length: 40_000 }, (_, index) =>
      eventsOf(1, [started(`a${index}`, "q1"), text("x")], `writer ${index}`),
    );
    const selections = Array.from({ length: 100_000 }, (_, index) =>
      eventsOf(index + 1, [{ type: "version-selected", turnId: "q1" }]),
    );
    // Work that grows faster than its input would take minutes and time out.
    assert.equal(decode(deep).skipped, 1);
    assert.ok(decode(...questions).skipped > 0);
    assert.ok(decode(...writers, ...writers.map((line) => line.replace(":1,", ":2,"))).skipped > 0);
    assert.ok(decode(...questions.slice(0, 6000), ...selections).skipped > 0);
  });

  it("has a record for each large question, and can contain the largest question", () => {
    const { imageBytes, pdfBytes } = attachmentLimits;
    const image = { type: "image", mediaType: "image/png", data: "A".repeat((imageBytes / 3) * 4) } as const;
    const pdf = { type: "pdf", data: "A".repeat((pdfBytes / 3) * 4) } as const;
    const largest = [image, image, image, image, pdf, pdf, pdf].map((content, index): Attachment => {
      const name = `${index}.${content.type}`;
      return { id: name, kind: content.type, name, detail: name, characters: 0, content };
    });
    const pending = new PendingRecords();
    const events = ["1", "2", "3"].flatMap((name) => exchange(name, null));
    for (const event of events) pending.addEvent(withAttachments(event, largest));
    assert.ok(isReadable(withAttachments(asked("q1"), largest)));
    const lengths: number[] = [];
    for (let record = pending.take(); record !== undefined; record = pending.take())
      lengths.push(record.type === "events" ? record.events.length : 0);
    assert.deepEqual(lengths, [1, 3, 1, 3, 1, 3]);
  });

  it("keeps the records before and after zero bytes", () => {
    const first = eventsOf(1, exchange("1", null));
    const second = eventsOf(2, exchange("2", "a1"));
    const zeros = "\0".repeat(5000);
    for (const lines of [
      [`${first}${zeros}`, second],
      [first, zeros, second],
      [first, `${zeros}${second}`],
    ]) {
      const stored = decode(...lines);
      assert.deepEqual([stored.transcript.turns.length, stored.skipped], [4, 1]);
    }
  });

  it("skips an unreadable event and keeps the other events of its record", () => {
    const odd = eventsOf(1, exchange("1", null)).replace('"text":"answer 1"', '"text":1');
    const stored = decode(odd);
    assert.equal(stored.skipped, 1);
    assert.equal(textsOf(stored)["a1"], "");
  });

  it("counts records of a newer version separately", () => {
    const stored = decode(
      '\n{"type":"attachment","writer":"one","number":1}',
      eventsOf(2, exchange("1", null)),
    );
    assert.deepEqual([stored.skipped, stored.unknown], [0, 1]);
    assert.equal(textsOf(stored)["a1"], "answer 1");
  });

  it("applies a record once if it was written twice", () => {
    const line = eventsOf(1, [asked("q1"), started("a1", "q1"), text("once")]);
    const again = eventsOf(2, [text(" and again")]);
    assert.equal(textsOf(decode(line, line, again, again))["a1"], "once and again");
  });

  it("is read to its end despite a record with a damaged number", () => {
    const stored = decode(
      eventsOf(9, exchange("1", null)),
      eventsOf(2, exchange("2", "a1")),
      eventsOf(2, exchange("3", "a2")),
    );
    assert.equal(stored.transcript.turns.length, 6);
  });

  it("separates answers that arrive in two windows at once", () => {
    const stored = decode(
      eventsOf(1, [asked("q1"), started("a1", "q1"), text("one ")]),
      eventsOf(1, [asked("q2"), started("a2", "q2"), text("two ")], "two"),
      eventsOf(2, [text("goes on"), completed]),
      eventsOf(2, [text("as well")], "two"),
    );
    assert.deepEqual(textsOf(stored), {
      q1: "question q1",
      a1: "one goes on",
      q2: "question q2",
      a2: "two as well",
    });
    assert.deepEqual(
      stored.transcript.turns.map((turn) => (turn.kind === "answer" ? turn.state.kind : turn.kind)),
      ["question", "complete", "question", "interrupted"],
    );
  });

  it("has an `unendedId` only if the writer of an unfinished answer wrote last", () => {
    const cut = eventsOf(1, [asked("q1"), started("a1", "q1"), text("half")]);
    const named = encodeRecord({ type: "meta", writer: "two", number: 1, title: "A" });
    const files = [decode(cut), decode(cut, named), decode(cut, eventsOf(2, [completed]))];
    assert.deepEqual(
      files.map(({ unendedId }) => unendedId),
      ["a1", undefined, undefined],
    );
  });

  it("marks an unfinished answer as interrupted before the events of the next session", () => {
    const first = [asked("q1"), started("a1", "q1"), text("half")];
    const then: TranscriptEvent[] = [
      started("a2", "q1"),
      text("whole"),
      completed,
      { type: "version-selected", turnId: "a1" },
      asked("q2", "a1"),
    ];
    const stored = decode(eventsOf(1, first), eventsOf(1, then, "two"));
    const interrupted: TranscriptEvent = { type: "answer-ended", state: { kind: "interrupted" } };
    assert.deepEqual(stored.transcript, reduce([...first, interrupted, ...then]));
  });

  it("keeps the branch connected if a turn is lost", () => {
    const stored = decode(
      eventsOf(1, exchange("1", null)),
      "\n{torn",
      eventsOf(3, [started("a2", "q2"), text("second"), completed]),
      "\n{torn",
      eventsOf(5, [asked("q4", "a3"), started("a4", "q4"), text("fourth")]),
    );
    assert.equal(stored.skipped, 2);
    assert.deepEqual(
      visibleTurns(stored.transcript).map(({ id }) => id),
      ["q1", "a1", "q2", "a2", "a3", "q4", "a4"],
    );
  });

  it("separates answers if the end of one is lost", () => {
    const stored = decode(
      eventsOf(1, [asked("q1"), started("a1", "q1"), text("first")]),
      "\n{torn",
      eventsOf(3, exchange("2", "a1", "second")),
    );
    assert.deepEqual(textsOf(stored), { q1: "question q1", a1: "first", q2: "question q2", a2: "second" });
  });

  it("uses the last record that includes or excludes a question, and keeps the title", () => {
    const named = encodeRecord({ type: "meta", writer: "one", number: 1, title: "A" });
    const first = decode(named, eventsOf(2, [asked("q1")]), includes(3, true), "\n{torn");
    assert.deepEqual(first.transcript.turns, [{ ...reduce([asked("q1")]).turns[0], included: true }]);
    assert.deepEqual([first.title, first.skipped, first.unknown], ["A", 1, 0]);
    const second = decode(eventsOf(1, [asked("q1")]), includes(2, true), includes(3, false));
    assert.deepEqual(second.transcript.turns, [{ ...reduce([asked("q1")]).turns[0], included: false }]);
    const answered = decode(
      eventsOf(1, [asked("q1"), started("a1", "q1"), text("one ")]),
      includes(2, true),
      eventsOf(3, [text("more"), completed]),
    );
    assert.deepEqual(textsOf(answered), { q1: "question q1", a1: "one more" });
  });

  it("uses the last title and pin", () => {
    const stored = decode(
      encodeRecord({ type: "meta", writer: "one", number: 1, title: "A", pinned: true }),
      encodeRecord({ type: "meta", writer: "one", number: 2, title: "B" }),
    );
    assert.deepEqual(
      [stored.title, stored.pinned, stored.createdAt],
      ["B", true, "2026-01-01T00:00:00.000Z"],
    );
    const cleared = encodeRecord({ type: "meta", writer: "one", number: 1, title: null, pinned: false });
    assert.deepEqual([decode(cleared).title, decode(cleared).pinned], [null, false]);
  });
});
