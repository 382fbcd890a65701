import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { buildAll, type Built } from "../../../build/buildAll.ts";
import { bundledPackages } from "../../../build/bundledPackages.ts";
import { filesReadWith } from "../../../build/joinedChunks.ts";
import { thirdPartyNotices } from "../../../build/notices.ts";
import { projectRoot } from "../../support/paths.ts";

/** Bytes of code that the editor reads when it starts the extension. */
const largestActivation = 40_000;

/** What the editor reads when it starts the extension. */
const entry = "dist/host/extension.cjs";

/** The names that a file takes from what activation has read. */
function namesFromEntry(text: string): readonly string[] {
  const lists = [...text.matchAll(/import\{([^}]*)\}from"\.\/extension\.cjs"/g)].map(
    ([, names = ""]) => names,
  );
  return lists.flatMap((names) => names.split(",").map((name) => name.replace(/ as .*/, "")));
}

/** The names that a minified CommonJS module exports. */
function listExported(text: string): readonly string[] {
  const list = /module\.exports=\{([^}]*)\};$/.exec(text)?.[1] ?? "";
  return list.split(",").map((name) => name.replace(/:.*/, ""));
}

describe("the host's bundle", () => {
  let metafile: Metafile;
  let built: Built;

  before(async () => {
    built = await buildAll(projectRoot);
    [metafile] = built.sources;
  });

  /** All chunks that are read together with that of this module, before some are joined. */
  const readWith = (entryPoint: string): readonly string[] => {
    const first = Object.keys(metafile.outputs).find(
      (output) => metafile.outputs[output]?.entryPoint === entryPoint,
    );
    assert.ok(first, entryPoint);
    return [...filesReadWith({ metafile }, first)];
  };

  const hasUndici = (output: string): boolean =>
    Object.keys(metafile.outputs[output]?.inputs ?? {}).some((input) => input.includes("/undici/"));

  it("is one small file where activation reads it", () => {
    assert.deepEqual([...filesReadWith({ metafile: built.host }, entry)], [entry]);
    const size = built.host.outputs[entry]?.bytes ?? Number.NaN;
    assert.equal(size, built.files.find((file) => file.path.endsWith("extension.cjs"))?.contents.length);
    assert.ok(size <= largestActivation, `${size} bytes are read at activation`);
  });

  it("has every name that one of its files takes from another", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "bundle-"));
    await using _removed = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
    const scripts = built.files.filter((file) => /[\\/]host[\\/].*js$/.test(file.path));
    for (const file of scripts) await writeFile(path.join(folder, path.basename(file.path)), file.contents);
    const { warnings } = await build({
      entryPoints: scripts
        .filter((file) => file.path.endsWith(".js"))
        .map((file) => path.join(folder, path.basename(file.path))),
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["vscode"],
      outdir: path.join(folder, "linked"),
      write: false,
      logLevel: "silent",
    });
    assert.deepEqual(warnings, []);
    // A bundler takes what a CommonJS module exports for granted.
    const offered = new Set(built.host.outputs[entry]?.exports);
    const wanted = scripts.flatMap(({ text }) => namesFromEntry(text));
    assert.ok(wanted.length > 100, `${wanted.length} names`);
    assert.deepEqual(
      wanted.filter((name) => !offered.has(name)),
      [],
    );
    const exported = listExported(scripts.find((file) => file.path.endsWith(".cjs"))?.text ?? "");
    assert.deepEqual(new Set(exported), offered);
  });

  it("has the transport where a request is made, and nowhere before", () => {
    assert.ok(readWith("src/client/createTransport.ts").some(hasUndici));
    for (const before of ["extension", "services", "editor/chat/loadChats", "editor/watchers"])
      assert.ok(!readWith(`src/${before}.ts`).some(hasUndici), before);
  });

  it("has none of undici's forms, HTTP/2 and SOCKS", () => {
    const inputs = Object.keys(metafile.inputs);
    assert.deepEqual(
      inputs.filter((input) => /undici\/lib\/(?:web\/(?!fetch\/body)|core\/socks)/.test(input)),
      [],
    );
  });

  it("comes with the licences of what is in it", async () => {
    const notices = await thirdPartyNotices(await bundledPackages([metafile]));
    for (const name of ["diff", "ignore", "undici", "valibot"])
      assert.match(notices, new RegExp(`^${name} \\d`, "m"));
    assert.match(notices, /Kevin Decker[^]*Redistributions in binary form/);
  });
});
