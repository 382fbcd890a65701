import assert from "node:assert/strict";
import fc from "fast-check";
import {
  countAttachedFromOutside,
  groupVersions,
  emptyTranscript,
  reduceTranscript,
  ownEffortField,
  refusedFieldText,
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../../../../src/chat/transcript/transcript.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { answer, asked, completed, question, reduce as reduceAll, started, text } from "./sampleEvents.ts";

const retrying: TranscriptEvent = {
  type: "retry-announced",
  state: {
    kind: "retrying",
    attempt: 2,
    of: 3,
    waitMs: 500,
    until: "2026-01-01T00:00:00.500Z",
    cause: "overloaded",
    title: "The service is overloaded",
  },
};
const retried: TranscriptEvent = { type: "retry-begun" };
const silent = (seconds: number): TranscriptEvent => ({ type: "silence", seconds });
const selected = (turnId: string): TranscriptEvent => ({ type: "version-selected", turnId });

const reduce = (...events: readonly TranscriptEvent[]): Transcript => reduceAll(events);
const idsOf = (turns: readonly { readonly id: string }[]): string[] => turns.map(({ id }) => id);

/** Two questions in a row: the first has two answers, the second has two wordings. */
const branched = reduce(
  asked("q1"),
  started("a1", "q1"),
  completed,
  asked("q2", "a1"),
  started("a2", "q2"),
  completed,
  asked("q3", "a1"),
  started("a3", "q3"),
  completed,
  started("a4", "q1"),
  completed,
);

const attached = (kind: "file" | "website") => ({ id: kind, kind, name: kind, detail: "", characters: 1 });

describe("countAttachedFromOutside", () => {
  it("counts the pages of a question, and of messages during its answer", () => {
    const asking = { ...question("q"), attachments: [attached("file"), attached("website")] };
    assert.equal(countAttachedFromOutside(question("q"), answer("a", "q")), 0);
    assert.equal(countAttachedFromOutside(asking, null), 1);
    const message = {
      by: "user",
      text: "And this?",
      attachments: [attached("website"), attached("file")],
    } as const;
    const step = { textEnd: 0, reasoningEnd: 0, outline: [], calls: [], messages: [message] };
    assert.equal(countAttachedFromOutside(asking, { ...answer("a", "q"), steps: [step, step] }), 3);
  });
});

describe("reduceTranscript", () => {
  it("records whether later requests include a question, also while an answer arrives", () => {
    const included: TranscriptEvent = { type: "question-included", turnId: "q1", included: true };
    const chosen = reduceTranscript(branched, included);
    assert.deepEqual(
      chosen.turns.map((turn) => (turn.kind === "question" ? turn.included : undefined)),
      branched.turns.map(({ id }) => (id === "q1" ? true : undefined)),
    );
    assert.equal(chosen.leafId, branched.leafId);
    assert.equal(reduceTranscript(chosen, included), chosen, "nothing is new");
    const back = reduceTranscript(chosen, { ...included, included: false });
    assert.equal(
      back.turns.some((turn) => turn.kind === "question" && turn.included === false),
      true,
    );
    for (const turnId of ["a1", "none"]) {
      assert.equal(reduceTranscript(branched, { ...included, turnId }), branched, turnId);
    }
    const arriving = reduce(asked("q1"), started("a1", "q1"), text("Hel"), included, text("lo"), completed);
    assert.deepEqual(
      arriving.turns.map((turn) => (turn.kind === "question" ? turn.included : turn.text)),
      [true, "Hello"],
    );
  });

  it("keeps the arriving answer separate from the turns, and adds all of it when it ends", () => {
    const arriving = reduce(
      asked("q1"),
      started("a1", "q1"),
      { type: "reasoning-delta", text: "because" },
      text("Hel"),
      text("lo"),
      { type: "usage", usage: { inputTokens: 3 } },
      { type: "request-id", requestId: "req_1" },
      { type: "field-refused", field: "thinking" },
      { type: "field-refused", field: "thinking" },
    );
    assert.deepEqual(idsOf(arriving.turns), ["q1"]);
    assert.equal(arriving.leafId, "a1");
    assert.equal(arriving.arriving?.state.kind, "streaming");
    const settled = reduceTranscript(arriving, completed);
    assert.equal(settled.arriving, null);
    assert.deepEqual(settled.turns.at(-1), {
      ...answer("a1", "q1"),
      text: "Hello",
      reasoning: "because",
      usage: { inputTokens: 3 },
      requestId: "req_1",
      refusedFields: ["thinking"],
      state: { kind: "complete", reason: "stop" },
    });
  });

  it("shows a retry delay and a silence only while they last", () => {
    const waiting = reduce(asked("q1"), started("a1", "q1"), silent(20), retrying);
    assert.equal(waiting.arriving?.state.kind, "retrying");
    assert.equal(waiting.arriving?.silentSeconds, 20);
    const again = [retried, silent(0)].reduce(reduceTranscript, waiting);
    assert.deepEqual(again, reduce(asked("q1"), started("a1", "q1")));
    const ended = [silent(40), completed].reduce(reduceTranscript, again);
    assert.deepEqual(ended, reduce(asked("q1"), started("a1", "q1"), completed));
  });

  it("doesn't change the turns for a delta", () => {
    const before = reduce(asked("q1"), started("a1", "q1"), text("a"));
    const after = reduceTranscript(before, text("b"));
    assert.equal(after.turns, before.turns);
    assert.equal(after.arriving?.state, before.arriving?.state);
  });

  it("keeps the text of a stopped answer", () => {
    const stopped = reduce(asked("q1"), started("a1", "q1"), text("partial"), {
      type: "answer-ended",
      state: { kind: "stopped" },
    });
    assert.deepEqual(stopped.turns.at(-1), {
      ...answer("a1", "q1"),
      text: "partial",
      state: { kind: "stopped" },
    });
  });

  it("ignores events that don't fit the transcript", () => {
    const late: TranscriptEvent[] = [
      text("late"),
      { type: "reasoning-delta", text: "late" },
      { type: "usage", usage: {} },
      { type: "request-id", requestId: "late" },
      { type: "field-refused", field: "late" },
      completed,
      asked("q1"),
      started("a1", "q1"),
      selected("nowhere"),
    ];
    for (const event of late) assert.equal(reduceTranscript(branched, event), branched, event.type);
    const newer: unknown = { type: "of-a-newer-host" };
    assert.equal(Reflect.apply(reduceTranscript, undefined, [branched, newer]), branched);
    const arriving = reduce(asked("q1"), started("a1", "q1"));
    assert.equal(reduceTranscript(arriving, started("a2", "q1")), arriving);
    assert.equal(reduceTranscript(arriving, selected("q1")), arriving);
  });

  it("shows the branch of a selected version down to its newest turn", () => {
    assert.deepEqual(idsOf(visibleTurns(branched)), ["q1", "a4"]);
    const first = reduceTranscript(branched, selected("a1"));
    assert.deepEqual(idsOf(visibleTurns(first)), ["q1", "a1", "q3", "a3"]);
    const edited = reduceTranscript(first, selected("q2"));
    assert.deepEqual(idsOf(visibleTurns(edited)), ["q1", "a1", "q2", "a2"]);
  });

  it("never throws and never loses a turn for any order of events", () => {
    const ids = fc.constantFrom("1", "2", "3", "4");
    const event = fc.oneof(
      fc.tuple(ids, fc.option(ids)).map(([id, parent]) => asked(`q${id}`, parent ? `a${parent}` : undefined)),
      fc.tuple(ids, ids).map(([id, parent]) => started(`a${id}`, `q${parent}`)),
      fc.constantFrom(text("x"), completed, retrying, retried, silent(20), silent(0)),
      ids.map((id) => selected(`q${id}`)),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const transcript = events.reduce((before, next) => {
          const after = reduceTranscript(before, next);
          assert.deepEqual(after.turns.slice(0, before.turns.length), before.turns);
          return after;
        }, emptyTranscript);
        assert.equal(visibleTurns(transcript).at(-1)?.id ?? null, transcript.leafId);
      }),
    );
  });
});

describe("visibleTurns", () => {
  it("shows the arriving answer last", () => {
    assert.deepEqual(idsOf(visibleTurns(reduce(asked("q1"), started("a1", "q1")))), ["q1", "a1"]);
  });

  it("stops at a cycle or a missing parent in a stored transcript", () => {
    const circle: Transcript = {
      turns: [question("q1", "a1"), { ...answer("a1", "q1"), state: { kind: "stopped" } }],
      arriving: null,
      leafId: "a1",
    };
    assert.deepEqual(idsOf(visibleTurns(circle)), ["q1", "a1"]);
    assert.equal(reduceTranscript(circle, selected("q1")).leafId, "q1");
    const orphan: Transcript = { turns: [question("q9", "lost")], arriving: null, leafId: "q9" };
    assert.deepEqual(idsOf(visibleTurns(orphan)), ["q9"]);
  });
});

function versionsOf(transcript: Transcript, id: string): readonly Turn[] {
  const turn = visibleTurns({ ...transcript, leafId: id }).at(-1);
  return turn === undefined ? [] : groupVersions(transcript)(turn);
}

describe("groupVersions", () => {
  it("returns the wordings of a question, or all answers to it, including the arriving answer", () => {
    assert.deepEqual(idsOf(versionsOf(branched, "a4")), ["a1", "a4"]);
    assert.deepEqual(idsOf(versionsOf(branched, "q2")), ["q2", "q3"]);
    assert.deepEqual(idsOf(versionsOf(branched, "nowhere")), []);
    assert.deepEqual(idsOf(versionsOf(reduceTranscript(branched, started("a5", "q1")), "a1")), [
      "a1",
      "a4",
      "a5",
    ]);
  });
});

function told(field: string): string {
  return refusedFieldText(
    { model: "service-core", clientStyle: "chat-completions" },
    field,
    createTranslate(),
  );
}

describe("the text about a refused field", () => {
  it("says for how long the effort, a level of it, or a field of the user is left out", () => {
    assert.match(
      told("reasoning_effort"),
      /\(reasoning_effort\) for service-core, so the effort is no longer sent/,
    );
    assert.match(
      told("reasoning_effort: high"),
      /'high' for service-core, so this effort is no longer sent\. Select another/,
    );
    assert.match(told(ownEffortField("reasoning_effort")), /the field 'reasoning_effort' .*requestFields\.$/);
    assert.match(told("seed"), /'seed' for service-core, so the field is no longer sent with this value/);
  });
});
