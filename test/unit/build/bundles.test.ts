import assert from "node:assert/strict";
import path from "node:path";
import { compileFunction } from "node:vm";
import type { Metafile } from "esbuild";
import { buildAll, type Built } from "../../../build/buildAll.ts";
import { bundledPackages } from "../../../build/bundledPackages.ts";
import { filesReadWith } from "../../../build/joinedChunks.ts";
import { thirdPartyNotices } from "../../../build/notices.ts";
import { bytesOfFirstLoad } from "../../support/loadedBytes.ts";
import { projectRoot } from "../../support/paths.ts";

/** Bytes of code that the editor reads when it starts the extension. */
const largestActivation = 80_000;
/** Bytes that the chat's page reads before there is code to colour. */
const largestFirstLoad = 300_000;

/** What the editor reads when it starts the extension. */
const entry = "dist/host/extension.cjs";

/** The names that a file of ours takes from others of ours, by the names of these. */
function namesTaken(text: string): readonly (readonly [file: string, name: string])[] {
  const lists = text.matchAll(/const\{([^{}]*)\}=require\("\.\/([^"]+)"\);/g);
  return [...lists].flatMap(([, names = "", file = ""]) =>
    names.split(",").map((name) => [file, name.replace(/:.*/, "")] as const),
  );
}

/** The names that a minified CommonJS module exports. */
function listExported(text: string): readonly string[] {
  const list = /module\.exports=\{([^}]*)\};$/.exec(text)?.[1] ?? "";
  return list.split(",").map((name) => name.replace(/:.*/, ""));
}

/** In the place of the editor's interface, which is not there: has all names, and does nothing. */
const anything: object = new Proxy(Object, {
  get: (target, name) => {
    if (name === "prototype") return target.prototype;
    return name === Symbol.toPrimitive ? () => "" : anything;
  },
  apply: () => anything,
});

/** One of Node's modules, of which nothing may be taken that it has not. */
function ofNode(asked: string): object {
  return new Proxy(process.getBuiltinModule(asked) ?? {}, {
    get(target, name) {
      assert.ok(name in target, `${asked} has no ${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}

describe("the page's bundle", () => {
  it("is small where the page reads it first", async () => {
    const size = await bytesOfFirstLoad((await buildAll(projectRoot)).page);
    assert.ok(size > largestFirstLoad / 2 && size <= largestFirstLoad, `${size} bytes are read first`);
  });
});

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

  /** The files of the host by their names. */
  const scripts = (): ReadonlyMap<string, string> =>
    new Map(
      built.files
        .filter((file) => /[\\/]host[\\/].*js$/.test(file.path))
        .map((file) => [path.basename(file.path), file.text]),
    );

  it("can be read as CommonJS, each file with all that it exports", () => {
    assert.ok(scripts().size > 10);
    const read = new Map<string, object>();
    const readOnce = (name: string): object => {
      const known = read.get(name);
      if (known !== undefined) return known;
      assert.match(name, /\.cjs$/);
      const text = scripts().get(name);
      assert.ok(text !== undefined, name);
      const module = { exports: {} };
      const run: unknown = compileFunction(text, ["module", "require", "__filename"]);
      assert.ok(typeof run === "function");
      run(
        module,
        (asked: string) => {
          if (asked === "vscode") return anything;
          return asked.startsWith("./") ? readOnce(asked.slice(2)) : ofNode(asked);
        },
        path.join(projectRoot, "dist", "host", name),
      );
      read.set(name, module.exports);
      return module.exports;
    };
    for (const name of scripts().keys())
      for (const [exported, value] of Object.entries(readOnce(name)))
        assert.notEqual(value, undefined, `${exported} of ${name} has its value only later`);
  });

  it("has every name that one of its files takes from another", () => {
    const exported = new Map([...scripts()].map(([name, text]) => [name, new Set(listExported(text))]));
    const taken = [...scripts().values()].flatMap(namesTaken);
    assert.ok(taken.length > 100, `${taken.length} names`);
    assert.deepEqual(
      taken.filter(([file, name]) => exported.get(file)?.has(name) !== true),
      [],
    );
    for (const [file, { exports }] of Object.entries(built.host.outputs)) {
      if (file.endsWith(".cjs")) assert.deepEqual(exported.get(path.basename(file)), new Set(exports), file);
    }
  });

  it("reads no file in a circle, where one would take names that are not there yet", () => {
    for (const [file, { imports }] of Object.entries(built.host.outputs))
      for (const { path: needed, kind } of imports) {
        if (kind !== "import-statement" || !needed.startsWith("./")) continue;
        const behind = filesReadWith(
          { metafile: built.host },
          path.posix.join(path.posix.dirname(file), needed),
        );
        assert.ok(!behind.has(file), `${file} needs itself by ${needed}`);
      }
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
    for (const name of ["diff", "undici", "valibot"]) assert.match(notices, new RegExp(`^${name} \\d`, "m"));
    assert.match(notices, /Kevin Decker[^]*Redistributions in binary form/);
  });
});
