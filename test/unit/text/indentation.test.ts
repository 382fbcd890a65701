import assert from "node:assert/strict";
import { indentCode } from "../../../src/text/indentation.ts";
import { replaceSelection } from "../../../src/chat/edits/snippetPlacement.ts";

describe("indentCode", () => {
  it("uses the indent of the target line and keeps the inner indent", () => {
    assert.equal(indentCode("  if (a) {\n    b();\n\n  }\n", "    "), "if (a) {\n      b();\n\n    }");
    assert.equal(indentCode("a\n\tb", "\tx = "), "a\n\t\tb");
    assert.equal(indentCode("a", ""), "a");
  });

  it("indents code that replaces a selection", () => {
    const file = "{\n  a();\n  b();\n}\n";
    const lines = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } };
    assert.equal(replaceSelection(file, "c();\nd();", lines), "{\n  c();\n  d();\n}\n");
    const word = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };
    assert.equal(replaceSelection(file, "c", word), "{\n  c();\n  b();\n}\n");
  });
});
