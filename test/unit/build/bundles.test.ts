import assert from "node:assert/strict";
import { build, type Metafile } from "esbuild";
import { bundledPackages } from "../../../build/bundledPackages.ts";
import { hostBundle } from "../../../build/bundles.ts";
import { thirdPartyNotices } from "../../../build/notices.ts";
import { projectRoot } from "../../support/paths.ts";

/** Bytes of code that the editor reads when it starts the extension. */
const largestActivation = 40_000;

describe("the host's bundle", () => {
  let metafile: Metafile;

  before(async () => {
    const options = { absWorkingDir: projectRoot, minify: true, write: false } as const;
    ({ metafile } = await build({ ...hostBundle, ...options, metafile: true }));
  });

  /** All chunks that are read together with that of this module. */
  const readWith = (entryPoint: string): readonly string[] => {
    const first = Object.keys(metafile.outputs).find(
      (output) => metafile.outputs[output]?.entryPoint === entryPoint,
    );
    assert.ok(first, entryPoint);
    const found = new Set([first]);
    for (const output of found) {
      for (const { path, kind, external } of metafile.outputs[output]?.imports ?? []) {
        if (kind === "import-statement" && external !== true) found.add(path);
      }
    }
    return [...found];
  };

  const hasUndici = (output: string): boolean =>
    Object.keys(metafile.outputs[output]?.inputs ?? {}).some((input) => input.includes("/undici/"));

  it("is small where activation reads it", () => {
    const size = readWith("src/extension.ts").reduce(
      (sum, output) => sum + (metafile.outputs[output]?.bytes ?? 0),
      0,
    );
    assert.ok(size <= largestActivation, `${size} bytes are read at activation`);
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
