import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { compileExcludes, type ExcludePattern, walkFolder } from "../../../src/files/folderWalk.ts";

describe("walkFolder", () => {
  let base = "";
  let root = "";
  before(async () => {
    base = await mkdtemp(path.join(os.tmpdir(), "folder-walk-"));
    root = path.join(base, "workspace");
    await write("workspace/a.ts", "workspace/a.js", "workspace/other.js", "workspace/src/deep/b.ts");
    await write("workspace/node_modules/lib/index.js", "workspace/out/x.map", "workspace/docs/out/y.md");
    await write("outside/c.ts");
  });
  after(() => rm(base, { recursive: true }));

  async function write(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const file = path.join(base, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, "");
    }
  }

  async function walk(patterns: readonly ExcludePattern[], followLinks = true): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const folder of walkFolder(root, { isExcluded: compileExcludes(patterns), followLinks }))
      found.push(...folder.files.map((name) => (folder.path === "" ? name : `${folder.path}/${name}`)));
    return found.toSorted();
  }

  it("lists files that no pattern excludes", async () => {
    assert.deepEqual(await walk([{ pattern: "**/node_modules" }, { pattern: "**/*.map" }]), [
      "a.js",
      "a.ts",
      "docs/out/y.md",
      "other.js",
      "src/deep/b.ts",
    ]);
    assert.deepEqual(await walk([{ pattern: "{node_modules,out}" }, { pattern: "src/**/*.ts" }]), [
      "a.js",
      "a.ts",
      "docs/out/y.md",
      "other.js",
    ]);
  });

  it("excludes a file with a matching sibling if the pattern has a `when`", async () => {
    const made = { pattern: "**/*.js", when: "$(basename).ts" };
    assert.deepEqual(await walk([made, { pattern: "{node_modules,out,docs}/**" }]), [
      "a.ts",
      "other.js",
      "src/deep/b.ts",
    ]);
  });

  it("follows only one of several links to a folder, and never in a circle", async () => {
    const links = ["workspace/linked", "workspace/linked again", "workspace/src/up", "outside/back"];
    const targets = ["outside", "outside", "workspace", "workspace/src"];
    for (const [at, link] of links.entries())
      await symlink(path.join(base, targets[at] ?? ""), path.join(base, link));
    await symlink(path.join(base, "outside/c.ts"), path.join(root, "c.ts"));
    await symlink(path.join(base, "nowhere"), path.join(root, "broken"));
    const patterns = [{ pattern: "{node_modules,out,docs,*.js}" }];
    const withLinks = await walk(patterns);
    assert.equal(withLinks.filter((name) => /^linked( again)?\/c\.ts$/.test(name)).length, 1);
    assert.ok(withLinks.includes("c.ts") && !withLinks.includes("broken"), withLinks.join());
    assert.ok(!withLinks.some((name) => name.startsWith("src/up")), withLinks.join());
    assert.deepEqual(await walk(patterns, false), ["a.ts", "c.ts", "src/deep/b.ts"]);
  });

  it("returns no files for a missing folder", async () => {
    const folders = walkFolder(path.join(base, "none"), { isExcluded: () => false, followLinks: true });
    for await (const { files } of folders) assert.deepEqual(files, []);
  });
});
