import assert from "node:assert/strict";
import { findMarkInLine, readMark } from "../../../src/text/elisionMarks.ts";
import { processorTime } from "../processorTime.ts";

const marks = [
  "// ... existing code ...",
  "// [existing methods unchanged]",
  "/* existing styles */",
  "# rest of the file stays the same",
  "<!-- ... -->",
  "<!-- rest of the template -->",
  "{/* ... */}",
  "{/* existing children */}",
  "-- ...",
  "(* ... *)",
  "% ... rest",
  ";; existing definitions",
  "' ... existing code",
  "' existing code",
  "REM rest of the script",
  "rem ... unchanged",
  '"""... existing docstring ..."""',
  "--[[ existing code ]]",
  "{- rest of the module -}",
  "// ... (las otras funciones no cambian)",
  "// Rest des Codes bleibt unverändert",
  "# (restlicher Code wie bisher)",
  "// le reste du code reste inchangé",
  "# el resto del código permanece igual",
  "// resto do código sem alterações",
  "// il resto del codice rimane uguale",
  "// 其他方法保持不变",
  "# 其余代码省略",
  "// 既存のコード",
  "# ... 残りはそのまま ...",
  "// 기존 코드",
  "// 나머지 코드는 동일",
  "// остальной код без изменений",
  "# ... остальные методы ...",
  "// --- rest of code ---",
  "/* ===== existing code ===== */",
  "// <rest of code>",
  "// {existing code}",
  "// keep existing imports",
  "// other methods remain unchanged",
  "// ... other methods",
  "// ...",
  "//...",
  "# ...",
  "...",
  "    ...",
  "…",
  "[... existing code ...]",
  "(... rest omitted ...)",
  "... rest of the code ...",
  "// your existing code goes here",
  "// App component remains the same",
  "# handle_request() unchanged",
  "// same as before",
  "// code omitted for brevity",
  "// snip",
  "// <snip>",
  "// remaining methods...",
  "// rest of MyComponent",
  "// Rest of the component...",
  "# Previous code remains unchanged",
  "// ...rest of code",
  "// ...existing code",
  "//... imports stay the same",
  "/* ... */",
  "/* ... other rules ... */",
  "* ... rest",
  "// ... keep the rest of the handlers as they are",
  "// no changes here",
  "// [unchanged]",
  "// (unchanged)",
  "// [... truncated ...]",
  "# ... [rest of implementation unchanged] ...",
  "// ... pozostały kod bez zmian",
  "// autres méthodes inchangées",
  "{{!-- ... existing --}}",
  "@* existing markup *@",
  "<%# rest %>",
  "{# ... #}",
  ":: ... rest of the batch file",
  "! ... existing declarations",
  "// ⋮",
  "// The rest of the class stays as is",
];

const code = [
  "// Loading...",
  "# TODO: fix this...",
  "// Handle remaining items...",
  "// Process the rest of the queue",
  "const x = 1;",
  "...options,",
  "...rest",
  "// ...args are forwarded to the parent",
  "// the existing user is returned",
  "// Remove existing code",
  "// check that the rest is unchanged",
  "// Compare with the previous value",
  "# Same thing, but for strings, since they are special",
  "x[...]",
  '"..."',
  "'...'",
  "// Return the remaining balance",
  "// Existing users keep their role when they log in again",
  "/* Header styles */",
  "## Existing features",
  "// Waiting for the server...",
  "# Ellipsis: 1, 2, ...",
  "// e.g. a, b, ...",
  "--existing: 3px;",
  "// Keep going until nothing changes",
  "#rest { color: red; }",
  "// If unchanged, skip",
  "// returns true if unchanged",
  "{ ...existing }",
  "return ...;",
  "// 返回剩余数量",
  "// 计算其他费用后返回结果",
  'print("...")',
  "- existing item",
];

/** The text before and after the marker in a line, and whether the marker is a note. */
const found = (line: string): readonly unknown[] => {
  const { ahead, behind, isNote } = findMarkInLine(line) ?? {};
  return [ahead, behind, isNote];
};

describe("a marker for omitted code", () => {
  it("is recognized in comments of many languages and as bare dots", () => {
    assert.deepEqual(
      marks.filter((line) => readMark(line) === undefined),
      [],
    );
  });

  it("is not found in comments about code or in code", () => {
    assert.deepEqual(
      code.filter((line) => readMark(line) !== undefined),
      [],
    );
  });

  it("is found next to code", () => {
    assert.deepEqual(found("foo() { /* ... existing ... */ }"), ["foo() {", "}", false]);
    assert.deepEqual(found("  one() { ... }"), ["  one() {", "}", false]);
    assert.deepEqual(found("function one() { // ... unchanged"), ["function one() {", "", false]);
    assert.deepEqual(found("return x; // unchanged"), ["return x;", "", true]);
    assert.deepEqual(found("<div>{/* ... existing ... */}</div>"), ["<div>", "</div>", false]);
    assert.deepEqual(found("def a(self):  # ... existing code"), ["def a(self):", "", false]);
    for (const line of [
      "const x = { ...existing };",
      "int f(const char *fmt, ...);",
      "catch (...) {",
      "if (a) { // existing user",
      "x = y[...]",
      "call(...args)",
      'log("...");',
    ]) {
      assert.equal(findMarkInLine(line), undefined, line);
    }
  });

  it("is searched for in linear time", () => {
    const pieces = [
      "...",
      "// ",
      "existing ",
      "[",
      "(",
      "/* ",
      "# ",
      "{ ",
      " ",
      "rest of ",
      "-=*_ ",
      "unchanged ",
      "其余",
    ];
    const time = processorTime(() => {
      for (const piece of pieces) {
        const line = `// ${piece.repeat(30_000 / piece.length)}\u2028x`;
        readMark(line);
        findMarkInLine(line);
        readMark(line.slice(0, 160));
        findMarkInLine(line.slice(0, 999));
      }
    });
    assert.ok(time < 1000, `${time} ms`);
  });
});
