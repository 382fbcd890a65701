import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { type CodeColors, codeKinds } from "../../src/chat/page/codeColors.ts";
import { readThemes, type Theme, themeNames, themesFile, usedVariables } from "../support/page/themes.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { readThemeLooks, type ThemeLook } from "../support/workbench/themeLooks.ts";
import { askInNewChat } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

/** Resolves with the code colors of a page when they differ from `before`. */
const nextCodeColors = inPage<
  Promise<CodeColors>
>(`(root, { kinds, before }) => new Promise((resolve, reject) => {
  const look = () => {
    const given = kinds.map((kind) => [kind, root.style.getPropertyValue("--theme-" + kind)]);
    const colors = Object.fromEntries(given.filter(([, color]) => color !== ""));
    if (JSON.stringify(colors) === JSON.stringify(before)) return;
    changes.disconnect();
    clearTimeout(limit);
    resolve(colors);
  };
  const limit = setTimeout(() => reject(new Error("The code colors have not changed.")), 60_000);
  const changes = new MutationObserver(look);
  changes.observe(root, { attributeFilter: ["style"] });
  look();
})`);

describe("the recorded themes of the page tests", () => {
  const { editor } = withConnectedEditor({
    service: { answers: () => "```ts\nlet a = 1;\n```\n" },
    // A theme other than the first one to record, so that the switch to that one changes the colors.
    settings: { "workbench.colorTheme": "Dark 2026" },
  });

  it("match what VS Code gives a page", async () => {
    const answer = await askInNewChat(editor, "code");
    await answer.locator(".token-keyword").first().waitFor();
    const root = editor.workbench.chat.frame.locator("html");
    let codeColors = await root.evaluate(nextCodeColors, { kinds: codeKinds, before: {} });
    const used = await usedVariables();
    const themes: Record<string, Theme> = {};
    for (const name of themeNames) {
      const [look] = await readThemeLooks(editor.workbench, [name]);
      codeColors = await root.evaluate(nextCodeColors, { kinds: codeKinds, before: codeColors });
      if (look !== undefined) themes[name] = recordedTheme(look, used, codeColors);
    }
    if (process.env["RECORD_THEMES"] !== undefined)
      await writeFile(themesFile, `${JSON.stringify(themes, undefined, 2)}\n`);
    assert.deepEqual(await readThemes(), themes);
  });
});

function recordedTheme(
  { style, attributes }: ThemeLook,
  used: readonly string[],
  codeColors: CodeColors,
): Theme {
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
  return { variables: Object.fromEntries(variables), attributes, codeColors };
}
