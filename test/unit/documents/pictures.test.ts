import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../support/paths.ts";
import { readDocument } from "./documents.ts";

/** Returns the size of a PNG in pixels, from its IHDR chunk (RFC 2083, 4.1.1). */
function sizeOf(name: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(path.join(projectRoot, name));
  assert.equal(bytes.toString("latin1", 1, 4), "PNG", name);
  assert.equal(bytes.toString("latin1", 12, 16), "IHDR", name);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

describe("images", () => {
  it("include icons of 256 and 128 pixels", () => {
    assert.match(readDocument("package.json"), /"icon": "media\/icon\.png"/);
    assert.deepEqual(sizeOf("media/icon.png"), { width: 256, height: 256 });
    assert.deepEqual(sizeOf("docs/icon-128.png"), { width: 128, height: 128 });
  });

  it("in the README have a description and are at least 640 pixels wide", () => {
    const shown = [...readDocument("README.md").matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(shown.length >= 3, `${shown.length} pictures`);
    for (const [, words = "", name = ""] of shown) {
      assert.ok(words.length > 20, `${name}: ${words}`);
      assert.ok(sizeOf(name).width >= 640, name);
    }
  });

  it("in the walkthrough take all colors from the theme", () => {
    const names = readDocument("package.json").match(/media\/start-\w+\.svg/g) ?? [];
    assert.equal(names.length, 4);
    for (const name of names) {
      const colours = [...readDocument(name).matchAll(/(?:stroke|fill|color)="([^"]*)"/g)];
      assert.ok(colours.length > 0, name);
      for (const [, colour = ""] of colours)
        assert.match(
          colour,
          /^(?:none|var\(--vscode-(?:foreground|descriptionForeground|focusBorder)\))$/,
          name,
        );
    }
  });
});
