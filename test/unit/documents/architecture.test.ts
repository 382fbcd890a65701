import assert from "node:assert/strict";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { namesIn, readDocument, tableRows, repositoryFiles } from "./documents.ts";

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const text = readDocument("ARCHITECTURE.md");
const files = repositoryFiles();
const sources = files.filter((name) => /^src\/.*\.tsx?$/.test(name) && !name.endsWith(".d.ts"));

/** Layer of a path in src without extension: `editor` for `editor/chat/chat`, `extension` for `extension`. */
const layerOf = (file: string): string => file.split("/")[0] ?? "";

const linesOf = (name: string): number => readDocument(name).trimEnd().split("\n").length;

/** The folder of a file: `client/http` for `client/http/body`. */
const limitsOf = (file: string): string => path.posix.dirname(file);

/** Name within the layer: `http` for `client/http`. A layer without rooms keeps its name. */
function nameInFloor(room: string): string {
  return room.includes("/") ? room.slice(room.indexOf("/") + 1) : room;
}

function importsOf(name: string): readonly Import[] {
  const { module } = parseSync(name, readDocument(name));
  const from = withoutEnding(name);
  const statements = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      to: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : [{ to: moduleRequest.value, isType }],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      to: readDocument(name).slice(start + 1, end - 1),
      isType: false,
    })),
  ];
  return statements
    .filter(({ to }) => to.startsWith(".") || to === "vscode")
    .map(({ to, isType }) => ({
      from,
      to: to === "vscode" ? to : withoutEnding(path.posix.join(path.posix.dirname(name), to)),
      isType,
    }));
}

function withoutEnding(name: string): string {
  return name.replace(/^src\//, "").replace(/\.tsx?$/, "");
}

/** Whether a name in the table (a layer or one module) covers the imported file. */
function covers(name: string, to: string): boolean {
  return name === to || name === layerOf(to);
}

describe("ARCHITECTURE.md", () => {
  const imports = sources.flatMap(importsOf);
  const rows = tableRows(text, "layer").map(([layers = "", allowed = ""]) => ({
    layers: namesIn(layers).map((name) => name.replace(/\.ts$/, "")),
    allowed,
  }));
  const layers = [...new Set(sources.map((name) => layerOf(withoutEnding(name))))];

  it("lists every layer exactly once", () => {
    assert.deepEqual(rows.flatMap((row) => row.layers).sort(), layers.sort());
  });

  it("allows every import", () => {
    const forbidden = imports.filter((each) => !isAllowed(each));
    assert.deepEqual(
      forbidden.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it("allows only imports that exist", () => {
    for (const { layers: own, allowed } of rows) {
      if (/\beverything\b|\ball above\b/.test(allowed)) continue;
      for (const name of namesIn(allowed)) {
        const isUsed = imports.some(({ from, to }) => own.includes(layerOf(from)) && covers(name, to));
        assert.ok(isUsed, `${own.join(", ")} may import ${name}, and does not`);
      }
    }
  });

  function isAllowed({ from, to, isType }: Import): boolean {
    const layer = layerOf(from);
    const index = rows.findIndex((row) => row.layers.includes(layer));
    const allowed = rows[index]?.allowed ?? "";
    if (layerOf(to) === layer || allowed === "everything") return true;
    const above = allowed.includes("all above") ? rows.slice(0, index).flatMap((row) => row.layers) : [];
    const types = namesIn(/types of (.*)$/.exec(allowed)?.[1] ?? "");
    const values = namesIn(allowed.replace(/types of .*$/, ""));
    return [...above, ...values, ...(isType ? types : [])].some((name) => covers(name, to));
  }

  describe("rooms", () => {
    const roomRows = tableRows(text, "room").map(([name = "", , allowed = ""]) => ({
      room: namesIn(name)[0] ?? "",
      allowed: namesIn(allowed),
    }));
    const inFloor = imports
      .filter(
        ({ from, to }) =>
          limitsOf(from) !== limitsOf(to) && layerOf(from) === layerOf(to) && to.includes("/"),
      )
      .map(({ from, to }) => ({ from, to, room: limitsOf(from), used: nameInFloor(limitsOf(to)) }));

    it("are in the table exactly once", () => {
      const rooms = new Set(
        sources.map((name) => limitsOf(withoutEnding(name))).filter((room) => room !== "."),
      );
      assert.deepEqual(roomRows.map(({ room }) => room).sort(), [...rooms].sort());
    });

    it("import exactly the rooms of their layer that the table allows", () => {
      for (const { room, allowed } of roomRows) {
        const used = inFloor.filter((each) => each.room === room);
        assert.deepEqual([...new Set(used.map((each) => each.used))].sort(), [...allowed].sort(), room);
      }
    });

    it("import only rooms above them, so imports have no cycle", () => {
      const places = new Map(roomRows.map(({ room }, index) => [room, index]));
      const backwards = inFloor.filter(
        ({ room, to }) => (places.get(limitsOf(to)) ?? Infinity) >= (places.get(room) ?? -1),
      );
      assert.deepEqual(
        backwards.map(({ from, to }) => `${from} imports ${to}`),
        [],
      );
    });

    it("have at most 25 files each", () => {
      const counts = Map.groupBy(
        files.filter((name) => name.startsWith("src/")),
        (name) => limitsOf(name),
      );
      const crowded = [...counts].filter(([, inRoom]) => inRoom.length > 25);
      assert.deepEqual(
        crowded.map(([room, inRoom]) => `${room}: ${inRoom.length}`),
        [],
      );
    });
  });

  describe("the size of src", () => {
    it("is at most 420 files without the agent, and at most 60 files under 30 lines", () => {
      const withoutAgent = sources.filter((name) => !/\/agent\//.test(name));
      const small = sources.filter((name) => linesOf(name) < 30);
      assert.ok(withoutAgent.length <= 420, `${withoutAgent.length} files`);
      assert.ok(small.length <= 60, small.join());
    });

    it("has a single importer for at most 30% of its files", () => {
      const importers = Map.groupBy(imports, ({ to }) => to);
      const single = sources.filter((name) => {
        const from = new Set((importers.get(withoutEnding(name)) ?? []).map((each) => each.from));
        return from.size === 1;
      });
      assert.ok(
        single.length <= sources.length * 0.3,
        `${single.length} of ${sources.length}: ${single.join()}`,
      );
    });

    it("has at most 20 exported option interfaces, each written out", () => {
      const options = sources.flatMap((name) =>
        [...readDocument(name).matchAll(/^export (?:interface|type) (\w*Options)\b([^{]*)/gm)].map(
          ([, option = "", head = ""]) => ({ option, head }),
        ),
      );
      assert.ok(options.length <= 20, options.map(({ option }) => option).join());
      const made = options.filter(({ head }) => /\b(?:Omit|Pick)\b|extends [^,]*,/.test(head));
      assert.deepEqual(
        made.map(({ option }) => option),
        [],
      );
    });
  });

  it("allows at most 600 lines in a code or style file", () => {
    const written = files.filter((name) => /\.(?:css|mjs|tsx?)$/.test(name));
    const long = written.filter((name) => linesOf(name) > 600);
    assert.ok(written.length > 900, `${written.length} files`);
    assert.deepEqual(long, []);
  });

  it("shows exactly the existing folders in its tree", () => {
    const folders = new Set(
      files
        .map((name) => path.posix.dirname(name))
        .flatMap((name) => name.split("/").map((_, depth, parts) => parts.slice(0, depth + 1).join("/")))
        .filter((name) => /^(?!\.)\w+$|^(?:src|test)\/\w+$/.test(name)),
    );
    assert.deepEqual(
      treeEntries()
        .filter((name) => name.endsWith("/"))
        .map((name) => name.slice(0, -1))
        .sort(),
      [...folders].sort(),
    );
  });

  it("has at most 250 lines", () => {
    assert.ok(linesOf("ARCHITECTURE.md") <= 250);
  });

  it("names only existing files in its tree", () => {
    for (const name of treeEntries()) if (!name.endsWith("/")) assert.ok(files.includes(name), name);
  });

  it("names only existing modules in its text", () => {
    const known = new Set([
      ...files,
      ...sources.map(withoutEnding),
      ...files.filter((name) => name.startsWith("src/")).map((name) => name.slice("src/".length)),
    ]);
    const named = namesIn(text.replaceAll(/```[^]*?```/g, "")).filter((name) =>
      /^(?:protocol|client|connection|chat|editor|webview|test|build)\/[\w/.]*\w$/.test(name),
    );
    assert.ok(named.length > 40, `${named.length} names`);
    const missing = named.filter((name) => {
      const isFolder = files.some((file) => file.startsWith(`${name}/`) || file.startsWith(`src/${name}/`));
      return !isFolder && !known.has(name) && !known.has(`${name}.ts`);
    });
    assert.deepEqual(missing, []);
  });

  it("has walks in docs/dev/walks.md that name only existing files and functions", () => {
    const steps = [...readDocument("docs/dev/walks.md").matchAll(/`([\w/]+):(\w+)`/g)];
    assert.ok(steps.length > 30, `${steps.length} steps`);
    for (const [step, file = "", name = ""] of steps) {
      const source = sources.find((each) => withoutEnding(each) === file);
      assert.ok(source !== undefined, step);
      assert.match(readDocument(source), new RegExp(`\\b${name}\\b`), step);
    }
  });

  /** Paths in the tree of the first code block. Folders end in `/`. */
  function treeEntries(): readonly string[] {
    const block = /```\n([^]*?)```/.exec(text)?.[1] ?? "";
    const parents: string[] = [];
    return block.split("\n").flatMap((line) => {
      const [, indent = "", name] = /^((?: {2}){0,2})([\w.]+\/?)(?: |$)/.exec(line) ?? [];
      if (name === undefined) return [];
      const depth = indent.length / 2;
      parents.splice(depth, Infinity, name);
      return [parents.join("")];
    });
  }
});
