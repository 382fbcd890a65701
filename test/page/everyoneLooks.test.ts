import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { pageStates } from "./everyoneStates.ts";

describe("the accessible page", () => {
  const { open } = chatPages();

  for (const { name, options, show } of pageStates) {
    it(`has nothing cut, covered or hard to perceive in any theme at 320 px when it shows: ${name}`, async () => {
      const opened = await open({ ...options, viewport: { width: 320, height: 800 } });
      const { chat, wear, screenshot } = opened;
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
      assert.equal(found.join("\n"), "");
    });

    it(`has nothing cut or covered at 200% zoom when it shows: ${name}`, async () => {
      // As on a screen that is 1080 pixels high.
      const opened = await open({ ...options, viewport: { width: 640, height: 1000 }, zoom: 2 });
      await show?.(opened);
      await opened.screenshot(`everyone 200% ${name}`);
      assert.equal((await layoutProblems(opened.chat.frame)).join("\n"), "");
    });
  }
});
