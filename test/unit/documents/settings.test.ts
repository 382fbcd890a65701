import assert from "node:assert/strict";
import * as v from "valibot";
import { namesIn, readDocument, tableRows } from "./documents.ts";

const settingSchema = v.looseObject({ scope: v.string(), default: v.unknown() });
const manifestSchema = v.looseObject({
  contributes: v.looseObject({
    configuration: v.looseObject({ properties: v.record(v.string(), settingSchema) }),
  }),
});

const keysSchema = v.looseObject({
  contributes: v.looseObject({ keybindings: v.array(v.looseObject({ key: v.string() })) }),
});

/** Where a setting may stand, in the words of the README. */
const scopes: Readonly<Record<string, string>> = {
  application: "user",
  resource: "workspace",
  window: "window",
};

describe("the README's table of settings", () => {
  const { properties } = v.parse(manifestSchema, JSON.parse(readDocument("package.json"))).contributes
    .configuration;
  const rows = tableRows(readDocument("README.md"), "setting").map(([setting = "", scope, what = ""]) => ({
    id: namesIn(setting)[0] ?? "",
    scope,
    what,
  }));

  it("has the settings of package.json, each once", () => {
    assert.deepEqual(rows.map(({ id }) => id).sort(), Object.keys(properties).sort());
  });

  it("tells where each may stand", () => {
    for (const { id, scope } of rows) assert.equal(scope, scopes[properties[id]?.scope ?? ""], id);
  });

  it("tells the numbers and switches that hold by default", () => {
    for (const { id, what } of rows) {
      const { default: value } = properties[id] ?? {};
      const told = /(\w+) by default/.exec(what)?.[1];
      if (told !== undefined) assert.equal(told, value === true ? "on" : String(value), id);
      else assert.ok(value === 0 || (typeof value !== "number" && value !== true), `${id} has a default`);
      if (value === 0) assert.match(what, /\b0 for\b|\bthe same\b/, id);
    }
  });
});

describe("the README's table of keys", () => {
  it("has each combination of package.json once, and no other", () => {
    const { keybindings } = v.parse(keysSchema, JSON.parse(readDocument("package.json"))).contributes;
    const rows = tableRows(readDocument("README.md"), "keys (on macOS with Cmd)");
    const told = rows.map(([keys = ""]) => keys.toLowerCase());
    assert.deepEqual(told.toSorted(), [...new Set(keybindings.map(({ key }) => key))].toSorted());
  });
});
