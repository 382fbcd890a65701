import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { billOfMaterials } from "../../../build/billOfMaterials.ts";
import { buildAll, type Built } from "../../../build/buildAll.ts";
import { bundledPackages } from "../../../build/bundledPackages.ts";
import { tellFigure } from "../../support/figures.ts";
import { projectRoot } from "../../support/paths.ts";
import { requireShippedFiles, shippedFiles } from "../../support/shippedFiles.ts";

/** Licenses allowed in the package. They require only attribution or a link to the source. */
const shippedLicences = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "(MPL-2.0 OR Apache-2.0)",
]);

/** Licenses allowed for development tools, which are never shipped. */
const toolLicences = new Set([
  ...shippedLicences,
  ..."0BSD BSD-2-Clause BlueOak-1.0.0 Artistic-2.0 EPL-2.0 MPL-2.0 PSF-2.0 Unlicense".split(" "),
  "(MIT OR GPL-3.0-or-later)",
  "(MIT AND Zlib)",
]);

/** The package signing tool. `@vscode/vsce` depends on it, with a build for each system. */
const signingTool = /^node_modules\/@vscode\/vsce-sign(?:-[\w-]+)?$/;

const manifestSchema = v.object({
  dependencies: v.optional(v.record(v.string(), v.string())),
  devDependencies: v.record(v.string(), v.string()),
});
const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({
      version: v.string(),
      license: v.optional(v.string()),
      integrity: v.optional(v.string()),
      devDependencies: v.optional(v.record(v.string(), v.string())),
    }),
  ),
});
const billSchema = v.object({
  bomFormat: v.literal("CycloneDX"),
  specVersion: v.string(),
  components: v.array(
    v.object({
      name: v.string(),
      version: v.string(),
      purl: v.pipe(v.string(), v.regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/)),
      hashes: v.tuple([v.object({ alg: v.literal("SHA-512"), content: v.pipe(v.string(), v.length(128)) })]),
    }),
  ),
});

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(projectRoot, file), "utf8"));
}

describe("the packages in use", () => {
  it("are locked at exact versions with hashes", async () => {
    const { dependencies, devDependencies } = v.parse(manifestSchema, await readJson("package.json"));
    const { "": root, ...packages } = v.parse(lockSchema, await readJson("package-lock.json")).packages;
    assert.equal(dependencies, undefined, "what is used at run time is bundled");
    assert.deepEqual(root?.devDependencies, devDependencies);
    for (const [name, version] of Object.entries(devDependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
      assert.equal(packages[`node_modules/${name}`]?.version, version);
    }
    for (const [folder, { integrity = "" }] of Object.entries(packages))
      assert.match(integrity, /^sha512-/, folder);
    tellFigure(
      `${Object.keys(packages).length} packages are used: exact versions, each locked with its hash`,
    );
  });

  it("have only licenses that we allow, except for the signing tool", async () => {
    const { "": _root, ...packages } = v.parse(lockSchema, await readJson("package-lock.json")).packages;
    const others = Object.entries(packages).filter(
      ([folder, { license = "" }]) => !toolLicences.has(license) && !signingTool.test(folder),
    );
    assert.deepEqual(
      others.map(([folder, { license }]) => `${folder}: ${license ?? "none"}`),
      [],
    );
  });
});

function bytesOf({ files }: Built): readonly unknown[] {
  return files.map(({ path: file, contents }) => [file, Buffer.from(contents).toString("latin1")]);
}

describe("the shipped package", () => {
  let built: Built;

  before(async () => {
    built = await buildAll(projectRoot);
  });

  it("has the same bytes when rebuilt", async () => {
    const again = await buildAll(projectRoot);
    assert.deepEqual(bytesOf(again), bytesOf(built));
    const [one, other] = [built, again].map(({ host, page }) =>
      bundledPackages([host, page]).then(billOfMaterials),
    );
    assert.equal(await one, await other);
  });

  it("contains no trace of the machine that built it", () => {
    const traces = [projectRoot, homedir(), "sourceMappingURL"].filter((trace) => trace.length > 1);
    for (const { path: file, contents } of built.files) {
      const text = Buffer.from(contents).toString("latin1");
      for (const trace of traces) assert.ok(!text.includes(trace), `${path.basename(file)} has ${trace}`);
    }
  });

  it("is built from src and packages and contains no path of either", () => {
    const inputs = [built.host, built.page].flatMap((source) => Object.keys(source.inputs));
    assert.ok(inputs.length > 300);
    assert.deepEqual(
      inputs.filter((input) => !/^(?:src\/|node_modules\/|[\w-]+:)/.test(input)),
      [],
    );
    for (const { path: file, contents } of built.files) {
      const text = Buffer.from(contents).toString("latin1");
      assert.deepEqual(
        text.match(/\b(?:src|test)\/[\w/.-]+\.[cm]?[jt]sx?\b|\bnode_modules\/[\w@]/g),
        null,
        file,
      );
    }
  });

  it("contains no network host to call", () => {
    const texts = built.files.map(({ contents }) => Buffer.from(contents).toString("latin1"));
    const hosts = texts.flatMap((text) => text.match(/(?<=\bhttps?:\/\/)(?:[\w-]+\.)+[a-z]+/g) ?? []);
    // `www.w3.org` is the namespace of SVG; `github.com` is in an error message of the Markdown parser.
    assert.deepEqual([...new Set(hosts)].toSorted(), ["github.com", "www.w3.org"]);
    const told = texts.filter((text) => /telemetry/i.test(text));
    assert.deepEqual(told, [], "whether the editor's telemetry is on makes no difference");
  });

  it("has allowed licenses only", async () => {
    for (const { name, license } of await bundledPackages([built.host, built.page])) {
      assert.ok(shippedLicences.has(license), `${name}: ${license}`);
    }
  });

  it("lists all its packages on the bill of materials", async () => {
    const packages = await bundledPackages([built.host, built.page]);
    const { components } = v.parse(billSchema, JSON.parse(await billOfMaterials(packages)));
    assert.deepEqual(
      components.map(({ name, version }) => `${name} ${version}`),
      packages.map(({ name, version }) => `${name} ${version}`),
    );
    assert.ok(
      components.some(({ name }) => name === "undici") && components.some(({ name }) => name === "preact"),
    );
    tellFigure(
      `${components.length} packages ship: all on the bill of materials, all with licences that are allowed`,
    );
  });

  it("is rejected if it has an unexpected file or lacks a file", () => {
    requireShippedFiles(shippedFiles);
    for (const stray of ["extension/src/extension.ts", "extension/dist/meta-host.json", "extension/.env"]) {
      assert.throws(() => requireShippedFiles([...shippedFiles, stray]), new RegExp(path.basename(stray)));
    }
    assert.throws(() => requireShippedFiles(shippedFiles.slice(1)), /lacks/);
  });
});
