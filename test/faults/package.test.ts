import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { billOfMaterials } from "../../build/billOfMaterials.ts";
import { buildAll } from "../../build/buildAll.ts";
import { bundledPackages } from "../../build/bundledPackages.ts";
import { readPackage, requireGoodPackage } from "../support/packageSize.ts";
import { tellFigure } from "../support/figures.ts";
import { formsOf } from "../support/secretForms.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";
import { leakCanary } from "./leaks/leakCanary.ts";
import { realKey } from "./realKey.ts";

const needles = formsOf(leakCanary);
/** The answer of a registry that serves packages but no audits. */
const refusalSchema = v.object({ statusCode: v.picklist([404, 405, 501]) });
const sourcePath = /\b(?:src|test)\/[\w/.-]+\.[cm]?tsx?\b|\bnode_modules\/[\w@]|sourceMappingURL/;
const auditSchema = v.object({ vulnerabilities: v.record(v.string(), v.unknown()) });

/** Build output, which the copied project does not need. */
const notCopied = new Set([".test-output", "dist"]);

/**
 * Builds the package with a key in the environment, as on a developer's machine. Resolves with the bytes of the
 * package.
 */
async function makePackage(folder: string, name: string, project = projectRoot): Promise<Buffer> {
  const file = path.join(folder, name);
  await requireCommand("npm", ["run", "--silent", "package", "--", "--out", file], {
    folder: project,
    environment: { ...process.env, INFERENCE_API_KEY: leakCanary },
  });
  await requireGoodPackage(file);
  return readFile(file);
}

/** Names of packages with known vulnerabilities; undefined if the registry does not support audits. */
function vulnerablePackages(...words: string[]): readonly string[] | undefined {
  const { stdout, stderr } = spawnSync("npm", ["audit", "--json", ...words], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  const answer = v.safeParse(v.union([auditSchema, refusalSchema]), JSON.parse(stdout));
  assert.ok(answer.success, `npm audit gave no answer: ${stdout}${stderr}`);
  return "statusCode" in answer.output ? undefined : Object.keys(answer.output.vulnerabilities);
}

describe("the package", function () {
  this.timeout(2 * 60_000);
  let folder: string;
  let first: Buffer;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "inference-package-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("contains what is meant to ship and nothing else", async () => {
    first = await makePackage(folder, "first.vsix");
  });

  it("contains no key, even if its build environment does", async () => {
    const files = await readPackage(path.join(folder, "first.vsix"));
    for (const [name, content] of files) {
      assert.ok(!needles.some((needle) => content.includes(needle)), `the key stands in ${name}`);
      assert.deepEqual(content.toString("latin1").match(realKey), null, name);
    }
    assert.match(String(files.get("extension/package.json")), /"publisher"/, "nothing was read");
    tellFigure(`the package: 0 keys in its ${files.size} files`);
  });

  it("holds no path of a source or test", async () => {
    const files = await readPackage(path.join(folder, "first.vsix"));
    const code = [...files].filter(([name]) => /\.(?:c?js|br|css|html)$/.test(name));
    assert.ok(code.length > 20, `${code.length} files of code`);
    for (const [name, content] of code)
      assert.deepEqual(content.toString("latin1").match(sourcePath), null, name);
    tellFigure(`the package: 0 paths of sources or tests in its ${code.length} files of code`);
  });

  it("holds the license of each bundled package", async () => {
    const files = await readPackage(path.join(folder, "first.vsix"));
    const notices = String(files.get("extension/dist/THIRD-PARTY-NOTICES.txt"));
    const { host, page } = await buildAll(projectRoot);
    const packages = await bundledPackages([host, page]);
    const names = packages.map(({ name, version }) => `${name} ${version}`);
    assert.deepEqual(
      names.filter((name) => !notices.split("\n").some((line) => line.startsWith(name))),
      [],
    );
    tellFigure(`the package: ${names.length} packages are in it, each with its licence beside it`);
  });

  it("contains no package with a known vulnerability", async () => {
    const { host, page } = await buildAll(projectRoot);
    const bundled = (await bundledPackages([host, page])).map(({ name }) => name);
    assert.deepEqual(vulnerablePackages("--omit=dev"), []);
    // Bundled packages are development dependencies, so `--omit=dev` does not cover them.
    const known = vulnerablePackages();
    if (known === undefined) {
      tellFigure(
        `npm audit: 0 packages at run time; of the ${bundled.length} that are bundled NOT ASKED, this registry takes no such question`,
      );
      return;
    }
    assert.deepEqual(
      bundled.filter((name) => known.includes(name)),
      [],
    );
    tellFigure(
      `npm audit: 0 of the ${bundled.length} packages that ship are vulnerable, ${known.length} of the tools`,
    );
  });

  it("is released with a bill of materials, checksums and a README without relative links", async () => {
    const release = path.join(folder, "release");
    const host = {
      GITHUB_SERVER_URL: "https://host.example",
      GITHUB_REPOSITORY: "owner/name",
      GITHUB_SHA: "c0ffee",
    };
    await requireCommand(process.execPath, [path.join(projectRoot, "build", "release.ts"), release], {
      folder: projectRoot,
      environment: { ...process.env, ...host },
    });
    const sums = await readFile(path.join(release, "SHA256SUMS"), "utf8");
    const listed = sums
      .trimEnd()
      .split("\n")
      .map((line) => line.split("  "));
    assert.deepEqual(
      listed.map(([, name = ""]) => path.extname(name)),
      [".vsix", ".json"],
    );
    for (const [sum, name = ""] of listed) {
      const bytes = await readFile(path.join(release, name));
      assert.equal(createHash("sha256").update(bytes).digest("hex"), sum);
    }
    assert.equal((await readdir(release)).length, 3);
    const bill = await readFile(path.join(release, listed[1]?.[1] ?? ""), "utf8");
    const built = await buildAll(projectRoot);
    assert.equal(bill, await bundledPackages([built.host, built.page]).then(billOfMaterials));
    const files = await readPackage(path.join(release, listed[0]?.[1] ?? ""));
    const targets = [...String(files.get("extension/readme.md")).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, target = ""]) => target,
    );
    assert.ok(
      targets.includes("https://host.example/owner/name/raw/c0ffee/docs/images/chat.png"),
      targets.join(),
    );
    assert.deepEqual(
      targets.filter((target) => !/^(?:https:|#)/.test(target)),
      [],
    );
  });

  it("has the same bytes when it is built again, here and in another folder", async () => {
    const elsewhere = path.join(folder, "another folder", "of the project");
    await cp(projectRoot, elsewhere, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !notCopied.has(path.relative(projectRoot, source)),
    });
    for (const project of [projectRoot, elsewhere])
      assert.ok(first.equals(await makePackage(folder, "again.vsix", project)), project);
    tellFigure(
      `the package: what is meant to ship and nothing else; made three times in two folders, the same ${first.length} bytes`,
    );
  });
});
