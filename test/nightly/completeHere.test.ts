import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { soon } from "../unit/service/fixture.ts";
import { proposalParts } from "../support/proposalParts.ts";

const program = "def total(prices):\n    \n\nprint(total([1, 2]))\n";
const completion = "sum = 0\n    for price in prices:\n        sum += price\n    return sum";

describe("completing at the cursor by keyboard, in a real editor", () => {
  const asks: Ask[] = [];
  const { editor, service } = withConnectedEditor({
    service: {
      answers: () => `Here is the code:\n\n\`\`\`python\n    ${completion}\n\`\`\`\n`,
      onAsk: (ask) => asks.push(ask),
    },
    prepareWorkspace: (folder) => writeFile(path.join(folder, "sum.py"), program),
    viewport: { width: 1000, height: 600 },
  });
  const parts = () => ({ ...partsOf(editor), ...proposalParts(editor) });
  const ghost = () =>
    editor.workbench.page.locator(".ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text");

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await editor.workbench.page.keyboard.press(key);
  }

  it("shows ghost text in each theme, dismisses it with Escape, and inserts it with Tab", async () => {
    const { workbench, goTo, text, screenshot } = parts();
    for (const theme of ["high-contrast-dark", "light", "dark"] as const) {
      await workbench.setTheme(theme);
      await goTo("sum.py", 2);
      await press("End", "Control+K", "Space");
      // Each word has its own element, because VS Code colors ghost text like code.
      for (const word of ["0", "return"]) await ghost().filter({ hasText: word }).first().waitFor();
      await screenshot(`complete-here-${theme}`);
      if (theme === "dark") continue;
      await press("Escape");
      await ghost().first().waitFor({ state: "detached" });
    }
    await press("Tab");
    assert.equal(await text(), program.replace("    \n", `    ${completion}\n`));
    assert.equal(asks.length, 3);
    assert.equal(await readFile(path.join(editor.workspace, "sum.py"), "utf8"), program, "nothing is saved");
  });

  it("shows progress while it waits, and stops with Escape", async () => {
    const { notifications, goTo, screenshot } = parts();
    service.pace = 5000;
    await goTo("sum.py", 1);
    await press("End", "Control+K", "Space");
    await notifications.message("Completing 'sum.py'...");
    await screenshot("complete-here-waiting");
    await press("Escape");
    await service.journal.next(({ state }) => state === "aborted", soon());
    assert.equal(await ghost().count(), 0);
  });
});
