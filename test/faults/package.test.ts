import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { requireGoodPackage } from "../support/packageSize.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";

async function makePackage(folder: string, name: string): Promise<Buffer> {
  const file = path.join(folder, name);
  await requireCommand("npm", ["run", "--silent", "package", "--", "--out", file], { folder: projectRoot });
  await requireGoodPackage(file);
  return readFile(file);
}

describe("the package", function () {
  this.timeout(2 * 60_000);
  let folder: string;
  let first: Buffer;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "inference-package-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("holds what is meant to ship and nothing else", async () => {
    first = await makePackage(folder, "first.vsix");
  });

  it("is the same bytes when it is made again", async () => {
    const second = await makePackage(folder, "second.vsix");
    assert.ok(first.equals(second));
    console.log(`\n  the package made twice: the same ${first.length} bytes\n`);
  });
});
