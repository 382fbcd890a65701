import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../support/paths.ts";
import { shippedFiles } from "../../support/shippedFiles.ts";

const link = /\]\(([^)\s:#]+\.md)/g;

describe("shipped documents", () => {
  it("link only to other shipped documents", () => {
    const shipped = shippedFiles
      .filter((name) => /^extension\/docs\/.*\.md$/.test(name))
      .map((name) => name.replace("extension/", ""));
    assert.ok(shipped.length > 20);
    const missing = shipped.flatMap((name) => {
      const text = readFileSync(path.join(projectRoot, name), "utf8");
      const targets = [...text.matchAll(link)].map(([, target = ""]) =>
        path.posix.join(path.posix.dirname(name), target),
      );
      return targets.filter((target) => !shipped.includes(target)).map((target) => `${name}: ${target}`);
    });
    assert.deepEqual(missing, []);
  });
});
