import assert from "node:assert/strict";
import { buildAll, type Built } from "../../../build/buildAll.ts";
import { bundledPackages } from "../../../build/bundledPackages.ts";
import { thirdPartyNotices } from "../../../build/notices.ts";
import { bytesBehind, bytesOfFirstLoad, filesReadWith } from "../../support/loadedBytes.ts";
import { projectRoot } from "../../support/paths.ts";

/** Maximum bytes of code that VS Code reads to activate the extension. */
const largestActivation = 80_000;
/** Maximum bytes that the chat's page reads before it can color code. */
const largestFirstLoad = 300_000;

/** The file that VS Code reads to activate the extension. */
const entry = "dist/host/extension.cjs";

describe("the page's bundle", () => {
  it("has a small first load", async () => {
    const size = bytesOfFirstLoad((await buildAll(projectRoot)).page);
    assert.ok(size > largestFirstLoad / 2 && size <= largestFirstLoad, `${size} bytes are read first`);
  });
});

describe("the host's bundle", () => {
  let built: Built;

  before(async () => {
    built = await buildAll(projectRoot);
  });

  /** Returns the output file of this entry point and all files that are loaded with it. */
  const readWith = (entryPoint: string): readonly string[] => {
    const [first] =
      Object.entries(built.host.outputs).find(([, output]) => output.entryPoint === entryPoint) ?? [];
    assert.ok(first, entryPoint);
    return [...filesReadWith(built.host, first)];
  };

  const hasUndici = (output: string): boolean =>
    Object.keys(built.host.outputs[output]?.inputs ?? {}).some((input) => input.includes("/undici/"));

  it("is small at activation", () => {
    const size = bytesBehind(built.host, entry);
    assert.ok(size > 0 && size <= largestActivation, `${size} bytes are read at activation`);
  });

  it("holds each module once, because keys and failures are recognized by their class", () => {
    const files = Object.entries(built.host.outputs).flatMap(([file, { inputs }]) =>
      Object.keys(inputs).map((input) => [input, file] as const),
    );
    const sources = files.map(([input]) => input);
    assert.ok(
      sources.includes("src/client/key/apiKey.ts") && sources.includes("src/client/failure/failure.ts"),
    );
    assert.deepEqual(
      files.filter(([input], index) => sources.indexOf(input) !== index),
      [],
    );
  });

  it("loads the transport with the first request and not earlier", () => {
    assert.ok(readWith("src/client/transport/createTransport.ts").some(hasUndici));
    for (const before of [
      "extension",
      "services",
      "editor/chat/chats",
      "editor/exposedKeys/exposedKeyDiagnostics",
    ])
      assert.ok(!readWith(`src/${before}.ts`).some(hasUndici), before);
  });

  it("does not copy VS Code's API for each module, because that would slow the start", () => {
    const code = built.files
      .filter(({ path }) => path.endsWith(".cjs"))
      .map(({ contents }) => new TextDecoder().decode(contents));
    const takes = code.flatMap((text) =>
      [...text.matchAll(/(.)require\("vscode"\)/g)].map(([, before]) => before),
    );
    assert.ok(takes.length > 50, `${takes.length} modules`);
    assert.deepEqual(new Set(takes), new Set(["="]));
  });

  it("comes with the licenses of its packages", async () => {
    const notices = await thirdPartyNotices(await bundledPackages([built.host]));
    // The last is a package within a package.
    for (const name of ["diff", "undici", "valibot", "htmlparser2", "entities"])
      assert.match(notices, new RegExp(`^${name} \\d`, "m"));
    assert.match(notices, /Kevin Decker[^]*Redistributions in binary form/);
  });
});
