import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { startReferenceService } from "../service/serve.ts";
import { type EditorOptions, openEditor } from "../support/endToEnd.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { everyoneAnswers } from "./everyoneAnswers.ts";
import { longName, refused, type Stage, viewStates } from "./everyoneStates.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_EVERYONE_KEY";
const connection = "Client-with-a-long-name";
const themes: readonly ThemeKind[] = ["light", "high-contrast-light", "high-contrast-dark", "dark"];

/** An editor whose view is 320 CSS pixels wide, with a service that gives answers which are hard to lay out. */
async function openStage(options: EditorOptions): Promise<Stage> {
  const service = await startReferenceService({
    answers: (message) => everyoneAnswers[message],
    contextWindow: 20_000,
  });
  const key = fakeKey("everyone");
  service.keys.add({}, key);
  const editor = await openEditor({
    settings: {
      "inference.connections": [{ name: connection, baseUrl: service.origin, keyVariable }],
      "inference.network.stallTimeout": 1,
      "inference.chat.tokenCap": 5000,
      "inference.maxTokens": 1000,
    },
    environment: { [keyVariable]: key },
    prepareWorkspace: (folder) => writeFile(path.join(folder, longName), "A line of notes.\n".repeat(2000)),
    ...options,
  });
  const { chat, quickInput, workbench } = partsOf(editor);
  await chat.open();
  await workbench.setViewWidth(320);
  await chat.button("Connection:").click();
  await quickInput.pick(connection);
  await chat.button(`Connection: ${connection}`).waitFor();
  return { service, editor };
}

async function closeStage({ editor, service }: Stage): Promise<void> {
  await editor[Symbol.asyncDispose]();
  await service.close();
}

describe("for everyone, at 320 px, in a real editor", () => {
  let stage: Stage;
  before(async function () {
    this.timeout(120_000);
    stage = await openStage({});
  });
  afterEach(async function () {
    await showFailedTest(stage.editor, this.currentTest);
  });
  after(() => closeStage(stage));

  for (const theme of themes) {
    describe(`in the theme ${theme}`, () => {
      before(async () => {
        await stage.editor.workbench.setTheme(theme);
        await stage.editor.workbench.chat.open();
      });

      for (const { name, show, leave } of viewStates(() => stage)) {
        it(`shows: ${name}`, async () => {
          const { chat, workbench } = partsOf(stage.editor);
          await show();
          await workbench.screenshotView(`everyone ${theme} ${name}`);
          const found = [
            ...(await layoutProblems(chat.frame)),
            ...(await accessibilityProblems(chat.frame, "--vscode-sideBar-background")),
          ];
          await leave?.();
          assert.equal(found.join("\n"), "");
        });
      }

      it("shows: report page", async () => {
        const { palette, workbench, dialog, page } = partsOf(stage.editor);
        const toggleSideBar = (): Promise<void> =>
          palette.runTitle(
            "View: Toggle Primary Side Bar Visibility",
            "workbench.action.toggleSidebarVisibility",
          );
        stage.service.failNext({ status: 401, body: refused });
        await palette.run("inference.checkConnection");
        if (theme === themes[0]) await dialog.press("Run Check");
        const report = workbench.report(`Connection Check: ${connection}`);
        await report.result("bad");
        await report.frame.locator("summary").click();
        const wide = await accessibilityProblems(report.frame, "--vscode-editor-background");
        await toggleSideBar();
        await page.setViewportSize({ width: 320 + 48, height: 800 });
        await page.waitForFunction(`document.querySelector(".part.editor").clientWidth <= 320`);
        await workbench.screenshot(`everyone ${theme} report`);
        const narrow = [
          ...(await layoutProblems(report.frame)),
          ...(await accessibilityProblems(report.frame, "--vscode-editor-background")),
        ];
        await workbench.screenshot(`everyone ${theme} report end`);
        await page.setViewportSize({ width: 1280, height: 800 });
        await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
        await toggleSideBar();
        await workbench.chat.find();
        assert.equal([...wide, ...narrow].join("\n"), "");
      });
    });
  }
});

describe("for everyone, at 200%, in a real editor", () => {
  let stage: Stage;
  before(async function () {
    this.timeout(120_000);
    // A screen of 1920 x 1080: the window has 960 x 540 CSS pixels.
    stage = await openStage({ viewport: { width: 1920, height: 1080 }, zoom: 2 });
  });
  afterEach(async function () {
    await showFailedTest(stage.editor, this.currentTest);
  });
  after(() => closeStage(stage));

  for (const { name, show, leave } of viewStates(() => stage)) {
    it(`shows: ${name}`, async () => {
      const { chat, screenshot } = partsOf(stage.editor);
      await show();
      await screenshot(`everyone 200% ${name}`);
      const found = await layoutProblems(chat.frame);
      await leave?.();
      assert.equal(found.join("\n"), "");
    });
  }
});
