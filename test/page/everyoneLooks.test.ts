import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { pageStates } from "./everyoneStates.ts";

describe("the accessible page", () => {
  const { open } = chatPages();

  for (const { name, options, show } of pageStates) {
    it(`has nothing cut, covered or hard to perceive in any theme, narrow or zoomed, when it shows: ${name}`, async () => {
      const opened = await open({ ...options, viewport: { width: 320, height: 800 } });
      const { chat, page, wear, screenshot } = opened;
      await show?.(opened);
      const found: string[] = [];
      for (const theme of themeNames) {
        await wear(theme);
        await screenshot(`everyone ${theme} ${name}`);
        const problems = [
          ...(await layoutProblems(chat.frame)),
          ...(await accessibilityProblems(chat.frame, "--vscode-sideBar-background")),
        ];
        found.push(...problems.map((problem) => `${theme}: ${problem}`));
      }
      // A view of 640 by 1000 pixels has these CSS pixels at 200% zoom.
      await page.setViewportSize({ width: 320, height: 500 });
      await screenshot(`everyone 200% ${name}`);
      found.push(...(await layoutProblems(chat.frame)).map((problem) => `200%: ${problem}`));
      assert.equal(found.join("\n"), "");
    });
  }
});
