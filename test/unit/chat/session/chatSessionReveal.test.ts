import assert from "node:assert/strict";
import { ChatSession } from "../../../../src/chat/session/chatSession.ts";
import { type TranscriptEvent, visibleTurns } from "../../../../src/chat/transcript/transcript.ts";
import { asked, exchange, reduce, started } from "../transcript/sampleEvents.ts";

const told: TranscriptEvent[] = [];

/** Creates a session with two branches after the first answer. The older branch is visible. */
function createSession(...further: readonly TranscriptEvent[]): ChatSession {
  told.length = 0;
  return new ChatSession({
    target: () => assert.fail("nobody is asked"),
    transcript: reduce([
      ...exchange("1", null),
      ...exchange("old", "a1"),
      ...exchange("new", "a1"),
      { type: "version-selected", turnId: "aold" },
      ...further,
    ]),
    onEvents: (events) => told.push(...events),
    now: () => new Date(),
    newId: () => assert.fail("nothing is begun"),
  });
}

function shownIn({ transcript }: ChatSession): readonly string[] {
  return visibleTurns(transcript).map(({ id }) => id);
}

describe("a turn to reveal", () => {
  it("changes nothing if it is already visible", () => {
    const session = createSession();
    assert.ok(session.reveal("a1"));
    assert.ok(session.reveal("qold"));
    assert.deepEqual(shownIn(session), ["q1", "a1", "qold", "aold"]);
    assert.deepEqual(told, []);
  });

  it("makes its branch visible", () => {
    const session = createSession();
    assert.ok(session.reveal("qnew"));
    assert.deepEqual(shownIn(session), ["q1", "a1", "qnew", "anew"]);
    assert.deepEqual(told, [{ type: "version-selected", turnId: "qnew" }]);
  });

  it("isn't revealed if its ID is unknown or an answer arrives on another branch", () => {
    const session = createSession();
    assert.ok(!session.reveal("nowhere"));
    const arriving = createSession(asked("q2", "aold"), started("a2", "q2"));
    assert.ok(!arriving.reveal("qnew"));
    assert.ok(arriving.reveal("a2"));
    for (const each of [session, arriving]) assert.ok(shownIn(each).includes("aold"));
  });
});
