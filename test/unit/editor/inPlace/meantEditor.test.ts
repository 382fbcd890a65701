import assert from "node:assert/strict";
import { meantEditor } from "../../../../src/editor/inPlace/meantEditor.ts";

const file = new URL("file:///work/price.ts");
const version = new URL("git:/work/price.ts?HEAD");

describe("the editor that a command is about", () => {
  const [old, now, beside, other] = [version, file, file, new URL("file:///work/tax.ts")].map((uri) => ({
    document: { uri },
  }));
  const visible = [other, old, now, beside].filter((editor) => editor !== undefined);

  it("is that of the document whose menu it was, though another one was used last", () => {
    assert.equal(meantEditor(version, { active: now, visible, last: now }), old);
    assert.equal(meantEditor(file, { active: old, visible, last: other }), now);
  });

  it("is the active one of several with that document", () => {
    assert.equal(meantEditor(file, { active: beside, visible, last: other }), beside);
  });

  it("is none where the document of the menu is not shown", () => {
    assert.equal(
      meantEditor(new URL("jdt://contents/String.class"), { active: now, visible, last: now }),
      undefined,
    );
  });

  it("is without a menu the active one, also where that cannot be written to, and else the last one", () => {
    assert.equal(meantEditor(undefined, { active: old, visible, last: now }), old);
    assert.equal(meantEditor(undefined, { active: undefined, visible, last: now }), now);
    assert.equal(meantEditor(undefined, { active: undefined, visible, last: undefined }), undefined);
  });
});
