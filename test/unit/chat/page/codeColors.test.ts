import assert from "node:assert/strict";
import {
  codeKinds,
  pickCodeColors,
  readColorTheme,
  readCustomizations,
  withClearContrast,
} from "../../../../src/chat/page/codeColors.ts";

describe("readColorTheme", () => {
  it("reads JSON with comments and trailing commas, and skips invalid rules", () => {
    const theme = readColorTheme(`{
      // a theme
      "include": "./base.json", /* of "another" */
      "tokenColors": [
        { "scope": "comment, string.quoted", "settings": { "foreground": "#111111", }, },
        { "scope": ["keyword.control"], "settings": { "foreground": "#222222" } },
        { "scope": "x", "settings": { "fontStyle": "bold // not a comment, ]" } },
        { "settings": { "foreground": "#333333" } },
        "nothing",
      ],
    }`);
    assert.deepEqual(theme, {
      include: "./base.json",
      rules: [
        { scopes: ["comment", "string.quoted"], color: "#111111" },
        { scopes: ["keyword.control"], color: "#222222" },
        { scopes: [], color: "#333333" },
      ],
    });
  });

  it("returns undefined or no rules for a theme of another format", () => {
    assert.equal(readColorTheme('<?xml version="1.0"?><plist/>'), undefined);
    assert.equal(readColorTheme("7"), undefined);
    assert.deepEqual(readColorTheme('{ "tokenColors": "./colors.tmTheme" }'), {
      include: undefined,
      rules: [],
    });
  });
});

describe("pickCodeColors", () => {
  it("picks the longest matching scope, and the last of equal scopes", () => {
    const rules = [
      { scopes: ["keyword.control"], color: "#111111" },
      { scopes: ["keyword"], color: "#222222" },
      { scopes: ["comment"], color: "#333333" },
      { scopes: ["comment"], color: "#444" },
      { scopes: ["storage.type.class"], color: "#555555" },
      { scopes: ["source.ts string", "str"], color: "#666666" },
    ];
    assert.deepEqual(pickCodeColors(rules), { comment: "#444", control: "#111111" });
  });

  it("ignores values that are not hex colors", () => {
    for (const color of ["red", "#12", "#12345g", "url(https://hostile.example)", "#123456;color:red", ""]) {
      assert.deepEqual(pickCodeColors([{ scopes: ["comment"], color }]), {}, color);
    }
  });

  it("prefers the user's colors to the theme's", () => {
    const setting = {
      comments: "#010101",
      strings: { foreground: "#020202", fontStyle: "bold" },
      numbers: 7,
      textMateRules: [{ scope: "entity.name.type", settings: { foreground: "#030303" } }],
      "[Some Theme]": { keywords: "#040404" },
      "[Other*][Some*]": { functions: "#050505" },
      "[Other]": { comments: "#060606" },
    };
    const theme = [{ scopes: ["comment"], color: "#ffffff" }];
    assert.deepEqual(pickCodeColors([...theme, ...readCustomizations(setting, "Some Theme")]), {
      comment: "#010101",
      string: "#020202",
      type: "#030303",
      keyword: "#040404",
      control: "#040404",
      function: "#050505",
    });
    for (const other of [undefined, null, [], "x"]) assert.deepEqual(readCustomizations(other, "x"), []);
  });

  it("leaves out colors with low contrast in high-contrast themes", () => {
    const colors = { comment: "#7ca668", string: "#333", keyword: "#000080", type: "#4ec9b0" };
    assert.deepEqual(withClearContrast(colors, "black"), { comment: "#7ca668", type: "#4ec9b0" });
    assert.deepEqual(withClearContrast(colors, "white"), { string: "#333", keyword: "#000080" });
  });

  it("returns only kinds that have a variable in the page's style sheet", async () => {
    const { readFile } = await import("node:fs/promises");
    const css = await readFile(new URL("../../../../src/webview/styles/code.css", import.meta.url), "utf8");
    for (const kind of codeKinds) assert.ok(css.includes(`--theme-${kind},`), kind);
  });
});
