import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { openEditor } from "../support/endToEnd.ts";
import { readThemes, type Theme, themeNames, themesFile, usedVariables } from "../support/page/themes.ts";
import { readThemeLooks } from "../support/workbench/themeLooks.ts";

describe("the recorded themes of the page tests", () => {
  it("are what the editor gives to a page", async () => {
    await using editor = await openEditor();
    const used = await usedVariables();
    const looks = await readThemeLooks(editor.workbench, themeNames);
    const themes = Object.fromEntries(
      looks.map(({ theme, style, attributes }): [string, Theme] => {
        const given = new Map(
          style.split(";").map((line): [string, string] => {
            const at = line.indexOf(":");
            return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
          }),
        );
        const variables = used.flatMap((name): [string, string][] => {
          const value = given.get(name);
          return value === undefined ? [] : [[name, value]];
        });
        return [theme, { variables: Object.fromEntries(variables), attributes }];
      }),
    );
    if (process.env["RECORD_THEMES"] !== undefined)
      await writeFile(themesFile, `${JSON.stringify(themes, undefined, 2)}\n`);
    assert.deepEqual(await readThemes(), themes);
  });
});
