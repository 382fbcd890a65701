import assert from "node:assert/strict";
import fc from "fast-check";
import { compileGlob } from "../../../src/chat/globPattern.ts";
import { containingGlob, scatteredGlob } from "../../../src/chat/nameGlobs.ts";

const matches = (glob: string, path: string): boolean => compileGlob(glob)?.(path) === true;

describe("the globs of a file search", () => {
  it("find a text in the name of a file or of a folder, in whatever case", () => {
    for (const path of ["src/mainThread.ts", "MAINTHREAD", "src/mainthread/page.ts", "a/b/xMainThread"]) {
      assert.ok(matches(containingGlob("mainthread"), path), path);
    }
    for (const path of ["src/main/thread.ts", "src/mainThrea.ts"])
      assert.ok(!matches(containingGlob("mainthread"), path), path);
    assert.ok(matches(containingGlob("main/thread"), "src/main/thread.ts"));
  });

  it("find characters of a name in their order", () => {
    assert.ok(matches(scatteredGlob("mtt"), "src/mainThread.ts"));
    assert.ok(!matches(scatteredGlob("mtt"), "m/t/t"));
    assert.ok(matches(scatteredGlob("src/mtt"), "src/mainThread.ts"));
  });

  it("miss no path that has the text, whatever it is", () => {
    const names = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(), (parts, one, other) => {
        const path = parts.map((part) => part.replaceAll(/[/\\]/g, "x")).join("/");
        const characters = Array.from(path);
        const [from, to] = [one % characters.length, other % characters.length].sort((a, b) => a - b);
        const text = characters.slice(from, (to ?? 0) + 1).join("");
        assert.ok(matches(containingGlob(text), path) || text.startsWith("/"), `${path}: ${text}`);
      }),
    );
  });
});
