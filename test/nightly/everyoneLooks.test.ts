import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { everyoneAnswers } from "../page/everyoneAnswers.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { type Ground, readThemeLooks, type ThemeLook, wear } from "../support/workbench/themeLooks.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

const connection = "Client-with-a-long-name";
const themes: readonly ThemeKind[] = ["light", "high-contrast-light", "high-contrast-dark", "dark"];

/** A refusal with a word too long for a line. */
const refused = {
  error: {
    type: "authentication_error",
    message: `Incorrect API key provided. ${"See-the-keys-page-".repeat(6)}`,
  },
};

describe("the pages at 320 px, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    name: connection,
    service: { answers: (message) => everyoneAnswers[message], contextWindow: 20_000 },
  });
  /** The look of each theme. The window itself keeps the last theme. */
  let looks: readonly ThemeLook[];

  before(async () => {
    const { chat, quickInput, workbench } = partsOf(editor);
    await chat.open();
    await workbench.setViewWidth(320);
    await chat.button("Connection:").click();
    await quickInput.pick(connection);
    await chat.button(`Connection: ${connection}`).waitFor();
    looks = await readThemeLooks(workbench, themes);
  });

  it("stay visible and readable in every theme: a chat, a chat behind the chat list, and a result page", async () => {
    const { chat, workbench, palette, quickInput, dialog } = partsOf(editor);
    await workbench.beginChat();
    await chat.send("Show me everything");
    await chat.usage.first().waitFor();
    await chat.frame.locator(".token-keyword").first().waitFor();
    // Waits for the code colors of VS Code's theme. If they arrived later, they would mix with those of another theme.
    await chat.frame.locator("html[style*='--theme-keyword']").waitFor();
    const inChat = await problemsInThemes(chat.frame, "--vscode-sideBar-background", (theme) =>
      workbench.screenshotView(`everyone ${theme} in the editor`),
    );

    await palette.run("inference.showHistory");
    await quickInput
      .row(/Show me everything/)
      .first()
      .waitFor();
    const inList = await problemsInThemes(chat.frame, "--vscode-sideBar-background", (theme) =>
      workbench.screenshotView(`everyone ${theme} history`),
    );
    await quickInput.cancel();

    service.failNext({ status: 401, body: refused });
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const report = workbench.report(`Connection Check: ${connection}`);
    await report.result("bad");
    // By now it is known which page of the window shows the report.
    const { frame } = report;
    await frame.locator("summary").click();
    const inReport = await problemsInThemes(frame, "--vscode-editor-background", (theme) =>
      workbench.screenshot(`everyone ${theme} report`),
    );
    assert.equal(inChat + inList + inReport, "");
  });

  /** Resolves with the problems of a page's appearance, one theme after the other; empty without problems. */
  async function problemsInThemes(
    frame: FrameLocator,
    ground: Ground,
    look: (theme: ThemeKind) => Promise<unknown> = async () => undefined,
  ): Promise<string> {
    const found: string[] = [];
    for (const each of looks) {
      await wear(frame, each, ground);
      await look(each.theme);
      const problems = [...(await layoutProblems(frame)), ...(await accessibilityProblems(frame, ground))];
      found.push(...problems.map((problem) => `${each.theme}: ${problem}`));
    }
    return found.join("\n");
  }
});
