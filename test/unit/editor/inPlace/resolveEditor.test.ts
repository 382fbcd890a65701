import assert from "node:assert/strict";
import { resolveEditor } from "../../../../src/editor/inPlace/resolveEditor.ts";

const file = new URL("file:///work/price.ts");
const version = new URL("git:/work/price.ts?HEAD");

describe("resolveEditor", () => {
  const [old, now, beside, other] = [version, file, file, new URL("file:///work/tax.ts")].map((uri) => ({
    document: { uri },
  }));
  const visible = [other, old, now, beside].filter((editor) => editor !== undefined);

  it("returns the editor whose menu was used, even if another one was used last", () => {
    assert.equal(resolveEditor(version, { active: now, visible, last: now }), old);
    assert.equal(resolveEditor(file, { active: old, visible, last: other }), now);
  });

  it("returns the active one of several editors that show the menu's document", () => {
    assert.equal(resolveEditor(file, { active: beside, visible, last: other }), beside);
  });

  it("returns undefined if the document of the menu is not shown", () => {
    assert.equal(
      resolveEditor(new URL("jdt://contents/String.class"), { active: now, visible, last: now }),
      undefined,
    );
  });

  it("without a menu, returns the active editor, even a read-only one, or else the last one", () => {
    assert.equal(resolveEditor(undefined, { active: old, visible, last: now }), old);
    assert.equal(resolveEditor(undefined, { active: undefined, visible, last: now }), now);
    assert.equal(resolveEditor(undefined, { active: undefined, visible, last: undefined }), undefined);
  });
});
