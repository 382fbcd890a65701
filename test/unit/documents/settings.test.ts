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

/** Scopes of settings, in the words of the page. */
const scopes: Readonly<Record<string, string>> = {
  application: "User",
  resource: "Workspace",
  window: "Window",
};

/** The default of a setting, in the words of the page. */
function defaultText(value: unknown): string {
  if (value === undefined || value === "") return "–";
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

describe("docs/settings.md", () => {
  const { properties } = v.parse(manifestSchema, JSON.parse(readDocument("package.json"))).contributes
    .configuration;
  const rows = tableRows(readDocument("docs/settings.md"), "Setting").map(
    ([setting = "", scope, value = ""]) => ({ id: namesIn(setting)[0] ?? "", scope, value }),
  );

  it("lists each setting of package.json exactly once", () => {
    assert.deepEqual(rows.map(({ id }) => id).sort(), Object.keys(properties).sort());
  });

  it("states the scope and default of each setting", () => {
    for (const { id, scope, value } of rows) {
      assert.equal(scope, scopes[properties[id]?.scope ?? ""], id);
      assert.equal(value, defaultText(properties[id]?.default), id);
    }
  });
});

describe("the README", () => {
  it("lists each key combination of package.json exactly once", () => {
    const { keybindings } = v.parse(keysSchema, JSON.parse(readDocument("package.json"))).contributes;
    const rows = tableRows(readDocument("README.md"), "Shortcut (macOS: Cmd)");
    const shown = rows.map(([keys = ""]) => keys.toLowerCase());
    assert.deepEqual(shown.toSorted(), [...new Set(keybindings.map(({ key }) => key))].toSorted());
  });

  it("has at most 150 lines", () => {
    assert.ok(readDocument("README.md").split("\n").length <= 151);
  });
});
