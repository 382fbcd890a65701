import assert from "node:assert/strict";
import { resolveEditor } from "../../../../src/editor/inPlace/resolveEditor.ts";

const file = new URL("file:///work/price.ts");
const version = new URL("git:/work/price.ts?HEAD");

describe("the editor that a command is about", () => {
  const [old, now, beside, other] = [version, file, file, new URL("file:///work/tax.ts")].map((uri) => ({
    document: { uri },
  }));
  const visible = [other, old, now, beside].filter((editor) => editor !== undefined);

  it("is that of the document whose menu it was, though another one was used last", () => {
    assert.equal(resolveEditor(version, { active: now, visible, last: now }), old);
    assert.equal(resolveEditor(file, { active: old, visible, last: other }), now);
  });

  it("is the active one of several with that document", () => {
    assert.equal(resolveEditor(file, { active: beside, visible, last: other }), beside);
  });

  it("is none where the document of the menu is not shown", () => {
    assert.equal(
      resolveEditor(new URL("jdt://contents/String.class"), { active: now, visible, last: now }),
      undefined,
    );
  });

  it("is without a menu the active one, also where that cannot be written to, and else the last one", () => {
    assert.equal(resolveEditor(undefined, { active: old, visible, last: now }), old);
    assert.equal(resolveEditor(undefined, { active: undefined, visible, last: now }), now);
    assert.equal(resolveEditor(undefined, { active: undefined, visible, last: undefined }), undefined);
  });
});
