import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { startReferenceService } from "../service/serve.ts";
import { type EditorOptions, openEditor } from "../support/endToEnd.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { type Ground, readThemeLooks, type ThemeLook, wear } from "../support/workbench/themeLooks.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { everyoneAnswers } from "./everyoneAnswers.ts";
import { writeEveryoneChats } from "./everyoneChats.ts";
import { longName, refused, type Stage, viewStates } from "./everyoneStates.ts";
import { everywhereFolder, partsOf, showFailedTest } from "./parts.ts";

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
      "inference.chat.history": "everywhere",
      "inference.maxTokens": 1000,
    },
    environment: { [keyVariable]: key },
    prepareWorkspace: (folder) => writeFile(path.join(folder, longName), "A line of notes.\n".repeat(2000)),
    ...options,
  });
  const { chat, quickInput, workbench } = partsOf(editor);
  await writeEveryoneChats(everywhereFolder(editor));
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
  /** The last of them is the window's own. */
  let looks: readonly ThemeLook[];
  before(async () => {
    stage = await openStage({});
    looks = await readThemeLooks(stage.editor.workbench, themes);
  });
  afterEach(async function () {
    await showFailedTest(stage.editor, this.currentTest);
  });
  after(() => closeStage(stage));

  for (const { name, show, leave } of viewStates(() => stage)) {
    it(`shows in each theme: ${name}`, async () => {
      const { chat, workbench } = partsOf(stage.editor);
      await show();
      const found = await problemsInThemes(chat.frame, "--vscode-sideBar-background", (theme) =>
        workbench.screenshotView(`everyone ${theme} ${name}`),
      );
      await leave?.();
      assert.equal(found, "");
    });
  }

  it("shows in each theme: report page", async () => {
    const { palette, workbench, dialog, page } = partsOf(stage.editor);
    const toggleSideBar = (): Promise<void> =>
      palette.runTitle(
        "View: Toggle Primary Side Bar Visibility",
        "workbench.action.toggleSidebarVisibility",
      );
    stage.service.failNext({ status: 401, body: refused });
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const report = workbench.report(`Connection Check: ${connection}`);
    await report.result("bad");
    // Which of the window's pages it is has shown by now.
    const { frame } = report;
    await frame.locator("summary").click();
    const wide = await problemsInThemes(frame, "--vscode-editor-background");
    await toggleSideBar();
    await page.setViewportSize({ width: 320 + 48, height: 800 });
    await page.waitForFunction(`document.querySelector(".part.editor").clientWidth <= 320`);
    const narrow = await problemsInThemes(frame, "--vscode-editor-background", (theme) =>
      workbench.screenshot(`everyone ${theme} report`),
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await toggleSideBar();
    await workbench.chat.find();
    assert.equal(wide + narrow, "");
  });

  /** What is wrong with how a page looks, in one theme after the other. */
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

describe("for everyone, at 200%, in a real editor", () => {
  let stage: Stage;
  before(async () => {
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
