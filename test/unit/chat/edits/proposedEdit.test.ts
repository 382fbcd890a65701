import assert from "node:assert/strict";
import fc from "fast-check";
import { ProposedEdit, rebaseChanges } from "../../../../src/chat/edits/proposedEdit.ts";
import { applyChanges, findChanges } from "../../../../src/text/lineChanges.ts";

/** The change to one line of the base, and the number of lines inserted before it. */
interface LineFate {
  readonly fate: "keep" | "drop" | "replace";
  readonly ahead: number;
}

const fate = fc.record({
  fate: fc.constantFrom<LineFate["fate"]>("keep", "keep", "keep", "drop", "replace"),
  ahead: fc.constantFrom(0, 0, 0, 0, 1, 2),
});
const length = 12;
const fates = fc.array(fate, { minLength: length, maxLength: length });
const base = Array.from({ length }, (_, line) => `base ${line}`);

/** The base after these changes. Every changed or inserted line is unique. */
function changed(whose: string, each: readonly LineFate[]): string[] {
  return each.flatMap((one, line) => {
    const ahead = Array.from({ length: one.ahead }, (_, index) => `${whose} ${line} ahead ${index}`);
    if (one.fate === "drop") return ahead;
    return [...ahead, one.fate === "keep" ? `base ${line}` : `${whose} ${line}`];
  });
}

const isMine = (line: string): boolean => line.startsWith("mine");

const few = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 20 }).map((lines) => lines.join("\n"));

describe("rebaseChanges", () => {
  it("keeps lines that the user added and doesn't restore lines that the user deleted", () => {
    fc.assert(
      fc.property(fates, fates, (mine, theirs) => {
        const now = changed("mine", mine);
        const changes = findChanges(base.join("\n"), changed("theirs", theirs).join("\n"));
        const clean = rebaseChanges(base.join("\n"), now.join("\n"), changes).filter(
          ({ kind }) => kind === "clean",
        );
        const result = applyChanges(now.join("\n"), clean).split("\n");
        assert.deepEqual(result.filter(isMine), now.filter(isMine));
        for (const line of base) if (!now.includes(line)) assert.ok(!result.includes(line), line);
      }),
      { numRuns: 1000 },
    );
  });

  it("applies every change if the user hasn't touched its lines or the lines next to them", () => {
    fc.assert(
      fc.property(fates, fates, (mine, theirs) => {
        const only = theirs.map((each, line): LineFate => {
          const near = [mine[line - 1], mine[line], mine[line + 1]];
          const isFree = near.every((one) => one === undefined || (one.fate === "keep" && one.ahead === 0));
          return isFree ? each : { fate: "keep", ahead: 0 };
        });
        const before = base.join("\n");
        const now = changed("mine", mine).join("\n");
        const changes = findChanges(before, changed("theirs", only).join("\n"));
        const rebased = rebaseChanges(before, now, changes);
        assert.deepEqual(
          rebased.map(({ kind }) => kind),
          changes.map(() => "clean"),
        );
        const both = base.flatMap((_, line) => {
          const one = mine[line];
          const other = only[line];
          if (one === undefined || other === undefined) return [];
          const own = changed(
            "mine",
            mine.map((each, at) => (at === line ? each : { fate: "drop", ahead: 0 })),
          );
          const its = changed(
            "theirs",
            only.map((each, at) => (at === line ? each : { fate: "drop", ahead: 0 })),
          );
          return one.fate === "keep" && one.ahead === 0 ? its : own;
        });
        assert.equal(applyChanges(now, rebased), both.join("\n"));
      }),
      { numRuns: 500 },
    );
  });

  it("returns all changes for an unchanged text, and none if all are applied", () => {
    fc.assert(
      fc.property(few, few, (before, after) => {
        const changes = findChanges(before, after);
        assert.equal(applyChanges(before, rebaseChanges(before, before, changes)), after);
        assert.deepEqual(rebaseChanges(before, after, changes), []);
      }),
    );
  });

  it("returns a conflict at the current lines if the user changed the same lines", () => {
    const changes = findChanges("a\nb\nc\nd", "a\nB\nc\nD");
    assert.deepEqual(rebaseChanges("a\nb\nc\nd", "new\na\nmine\nc\nd", changes), [
      { start: 2, removed: 1, added: ["B"], kind: "conflict", sources: [0] },
      { start: 4, removed: 1, added: ["D"], kind: "clean", sources: [1] },
    ]);
  });
});

describe("ProposedEdit", () => {
  it("accepts hunks one by one in any order", () => {
    const order = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(few, few, order, (before, after, picks) => {
        const edit = new ProposedEdit(before, after);
        let now = before;
        for (const pick of picks) {
          const hunks = edit.hunksIn(now);
          const hunk = hunks[pick % Math.max(hunks.length, 1)];
          if (hunk === undefined) break;
          now = applyChanges(now, [hunk]);
          edit.accept(hunk);
        }
        assert.equal(edit.textIn(now), after);
      }),
    );
  });

  it("keeps lines that the user types while accepting hunks one by one", () => {
    const step = fc.record({ types: fc.boolean(), at: fc.nat() });
    fc.assert(
      fc.property(few, few, fc.array(step, { maxLength: 12 }), (before, after, steps) => {
        const edit = new ProposedEdit(before, after);
        let now = before;
        for (const [index, { types, at }] of steps.entries()) {
          const lines = now.split("\n");
          const hunks = edit.hunksIn(now).filter(({ kind }) => kind === "clean");
          const hunk = hunks[at % Math.max(hunks.length, 1)];
          if (types) now = lines.toSpliced(at % (lines.length + 1), 0, `mine ${index}`).join("\n");
          else if (hunk !== undefined) {
            now = applyChanges(now, [hunk]);
            edit.accept(hunk);
          }
          const typed = steps.flatMap((each, earlier) =>
            each.types && earlier <= index ? [`mine ${earlier}`] : [],
          );
          assert.deepEqual(now.split("\n").filter(isMine).sort(), typed.sort());
        }
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the user's changes across later proposals", () => {
    fc.assert(
      fc.property(fates, fates, fates, fates, (mine, later, theirs, others) => {
        const first = changed("mine", mine).join("\n");
        const second = changed(
          "mine",
          mine.map((each, line) => (each.fate === "keep" ? (later[line] ?? each) : each)),
        );
        const edit = new ProposedEdit(base.join("\n"), changed("theirs", theirs).join("\n"));
        const refined = edit.next(first);
        // The worst case: the model continues from the text before the user's changes.
        refined.propose(changed("theirs", others).join("\n"));
        const again = refined.next(second.join("\n"));
        again.propose(changed("theirs", theirs).join("\n"));
        for (const [text, now] of [
          [refined.cleanTextIn(first), first.split("\n")],
          [again.cleanTextIn(second.join("\n")), second],
        ] as const) {
          const result = text.split("\n");
          assert.deepEqual(result.filter(isMine), now.filter(isMine));
          for (const line of base) if (!now.includes(line)) assert.ok(!result.includes(line), line);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps a conflict that a later proposal repeats, but changes accepted lines cleanly", () => {
    const edit = new ProposedEdit("a\nb\nc\nd\ne", "A\nb\nB!\nd\nE");
    const [hunk] = edit.hunksIn("a\nb\nc\nd\ne");
    assert.ok(hunk !== undefined);
    edit.accept(hunk);
    const now = "A\nb\nc mine\nd\ne";
    assert.equal(edit.cleanTextIn(now), "A\nb\nc mine\nd\nE");
    const refined = edit.next(now);
    refined.propose("A!\nb\nB!\nd\nE");
    assert.deepEqual(
      refined.hunksIn(now).map(({ kind, added }) => [kind, ...added]),
      [
        ["clean", "A!"],
        ["conflict", "B!"],
        ["clean", "E"],
      ],
    );
  });

  it("restores rejected hunks in any order", () => {
    const order = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(few, few, order, (before, after, picks) => {
        const edit = new ProposedEdit(before, after);
        const all = edit.hunksIn(before);
        let restores: readonly (() => void)[] = [];
        for (const pick of picks) {
          const hunks = edit.hunksIn(before);
          const hunk = hunks[pick % Math.max(hunks.length, 1)];
          if (hunk === undefined) break;
          restores = restores.toSpliced(pick % (restores.length + 1), 0, edit.reject(hunk));
          assert.equal(edit.hunksIn(before).length, hunks.length - 1);
        }
        for (const restore of restores) restore();
        assert.equal(edit.textIn(before), after);
        assert.deepEqual(edit.hunksIn(before), all);
      }),
    );
  });

  it("ignores a restored hunk of an earlier proposal", () => {
    const edit = new ProposedEdit("a\nb", "A\nb");
    const [hunk] = edit.hunksIn("a\nb");
    assert.ok(hunk);
    const restore = edit.reject(hunk);
    edit.propose("a\nB");
    restore();
    assert.equal(edit.textIn("a\nb"), "a\nB");
  });

  it("leaves a text unchanged if all hunks are rejected", () => {
    fc.assert(
      fc.property(few, few, (before, after) => {
        const edit = new ProposedEdit(before, after);
        for (let [hunk] = edit.hunksIn(before); hunk !== undefined; [hunk] = edit.hunksIn(before)) {
          edit.reject(hunk);
        }
        assert.equal(edit.textIn(before), before);
      }),
    );
  });

  it("proposes an undone hunk again, but not one that the user edited further", () => {
    const edit = new ProposedEdit("a\nb\nc", "a\nB\nc");
    const [hunk] = edit.hunksIn("a\nb\nc");
    assert.ok(hunk !== undefined);
    edit.accept(hunk);
    assert.deepEqual(edit.hunksIn("a\nB\nc"), []);
    assert.deepEqual(edit.hunksIn("a\nB, and more\nc"), []);
    assert.equal(edit.hunksIn("a\nb\nc").length, 1);
  });

  it("returns each hunk with its line in the proposal", () => {
    const edit = new ProposedEdit("a\nb\nc\nd", "1\n2\na\nb\nD");
    assert.deepEqual(
      edit.hunksIn("a\nb\nc\nd").map(({ start, shownAt }) => [start, shownAt]),
      [
        [0, 0],
        [2, 4],
      ],
    );
  });
});
