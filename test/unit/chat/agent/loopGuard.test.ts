import assert from "node:assert/strict";
import { LoopGuard } from "../../../../src/chat/agent/loopGuard.ts";
import type { CallOutcome, CallResult } from "../../../../src/chat/transcript/steps.ts";
import { readToolArguments } from "../../../../src/protocol/conversation/toolCalls.ts";
import type { ToolCall } from "../../../../src/protocol/conversation/conversation.ts";

const read = (given: unknown, name = "read_file"): ToolCall => ({
  type: "tool-call",
  id: crypto.randomUUID(),
  name,
  arguments: readToolArguments(given),
});
const ended = (outcome: CallOutcome, text = "the result"): CallResult => ({ outcome, text });
const wasTold = ({ text }: CallResult): boolean => text.includes("You made this same call before");

describe("the guard against loops", () => {
  let guard: LoopGuard;

  beforeEach(() => {
    guard = new LoopGuard();
  });

  it("tells the model at the second same call, and asks the user at the third", () => {
    const call = read({ path: "a.ts", startLine: 1 });
    assert.deepEqual(guard.note(call, ended("done")), ended("done"));
    const second = guard.note(read('{"startLine":1, "path":"a.ts"}'), ended("done"));
    assert.ok(wasTold(second) && second.text.startsWith("the result\n\n"), second.text);
    assert.equal(guard.takePause(), undefined);
    assert.ok(wasTold(guard.note(call, ended("done"))));
    assert.deepEqual(guard.takePause(), { type: "loop", tool: "read_file", count: 3 });
    assert.equal(guard.takePause(), undefined);
  });

  it("counts from the start after the user was asked", () => {
    const call = read({ path: "a.ts" });
    for (let time = 0; time < 3; time += 1) guard.note(call, ended("done"));
    assert.ok(guard.takePause());
    assert.ok(!wasTold(guard.note(call, ended("done"))));
    assert.ok(wasTold(guard.note(call, ended("done"))));
    assert.equal(guard.takePause(), undefined);
  });

  it("takes a call with another result, other arguments or another name as new", () => {
    const call = read({ path: "a.ts" });
    const results = [
      guard.note(call, ended("done", "one")),
      guard.note(call, ended("done", "two")),
      guard.note(call, ended("done", "one")),
      guard.note(read({ path: "b.ts" }), ended("done", "one")),
      guard.note(read({ path: "a.ts" }, "list_folder"), ended("done", "one")),
      guard.note(read({ path: "a.ts", startLine: 1 }), ended("done", "one")),
      guard.note(read("path: a.ts"), ended("invalid", "one")),
    ];
    assert.deepEqual(results.filter(wasTold), []);
    assert.equal(guard.takePause(), undefined);
  });

  it("notices the same call between others", () => {
    const call = read({ path: "a.ts" });
    for (let time = 0; time < 3; time += 1) {
      guard.note(call, ended("done"));
      guard.note(read({ path: `${time}.ts` }), ended("done"));
    }
    assert.deepEqual(guard.takePause(), { type: "loop", tool: "read_file", count: 3 });
  });

  it("asks the user after three failed calls in a row", () => {
    guard.note(read({ path: "a" }), ended("failed"));
    guard.note(read("no JSON"), ended("invalid"));
    assert.equal(guard.takePause(), undefined);
    guard.note(read({ path: "c" }), ended("failed"));
    assert.deepEqual(guard.takePause(), { type: "failures", count: 3 });
    guard.note(read({ path: "d" }), ended("failed"));
    assert.equal(guard.takePause(), undefined);
  });

  it("counts failures again after a call that worked or that the user denied", () => {
    for (const outcome of ["done", "denied"] as const) {
      guard.note(read({ path: `${outcome}-1` }), ended("failed"));
      guard.note(read({ path: `${outcome}-2` }), ended("failed"));
      guard.note(read({ path: `${outcome}-3` }), ended(outcome));
    }
    assert.equal(guard.takePause(), undefined);
  });

  it("names the loop if both are noticed", () => {
    for (let time = 0; time < 3; time += 1) guard.note(read({ path: "a" }), ended("failed"));
    assert.deepEqual(guard.takePause(), { type: "loop", tool: "read_file", count: 3 });
  });
});
