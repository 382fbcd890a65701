import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { contextMenuEntry, pickFromContextMenu } from "../support/workbench/explorer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { answerInPlace, git, prepareRepository, priceFile } from "./inPlaceRepository.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { proposalParts } from "./proposalParts.ts";

const keyVariable = "INFERENCE_E2E_KEY";

describe("changes in place by the lightbulb, the menus and a review, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let file: string;
  let isUnreadable = false;
  const asks: Ask[] = [];
  const parts = () => ({ ...partsOf(editor), ...proposalParts(editor) });

  before(async () => {
    service = await startReferenceService({
      answers: (message) => (isUnreadable ? "I looked at it, and it is sound." : answerInPlace(message)),
      onAsk: (ask) => asks.push(ask),
    });
    const key = fakeKey("in-place-actions");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "comments.openView": "never",
        "files.autoSave": "off",
        // Draws text that can be read.
        "terminal.integrated.gpuAcceleration": "off",
      },
      environment: { [keyVariable]: key },
      prepareWorkspace: prepareRepository,
      viewport: { width: 1500, height: 900 },
    });
    file = path.join(editor.workspace, "src", "price.ts");
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** What was sent last. */
  const lastQuestion = (): string => asks.at(-1)?.messages.at(-1)?.text ?? "";

  it("fixes a problem from its lightbulb, and sends nothing before that is chosen", async () => {
    const { page, goTo, modified, press, closed, text, undo, waitForDecisions, screenshot } = parts();
    await goTo("price.ts", 16);
    // The editor's own language server takes its time to start.
    await page.locator(".squiggly-error").first().waitFor({ state: "attached", timeout: 120_000 });
    const fix = page
      .locator(".action-widget")
      .getByText("Inference: Fix · billable request", { exact: true });
    // While its language server starts, the editor shows no list, or closes it.
    for (let isShown = false; !isShown;) {
      await page.keyboard.press("Control+.");
      isShown = await fix.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    }
    await screenshot("in-place-lightbulb");
    assert.equal(asks.length, 0);
    await fix.click();
    await modified.filter({ hasText: "items.length" }).waitFor();
    await waitForDecisions("1 change to decide");
    assert.match(lastQuestion(), /lines 15 to 17[^]*src\/price\.ts:16:\d+ error ts\(\d+\): .*lenght/);
    await press("Accept All Changes");
    await closed();
    assert.equal(await text(), priceFile.replace("lenght", "length"));
    await undo();
    assert.equal(await text(), priceFile);
  });

  it("documents a function from the editor's menu", async () => {
    const { page, goTo, modified, press, closed, text, screenshot } = parts();
    await goTo("price.ts", 20);
    await page.keyboard.press("Shift+F10");
    await pickFromContextMenu(page, "Inference · Billable Requests");
    await contextMenuEntry(page, "Generate Documentation").waitFor();
    await screenshot("in-place-menu");
    await pickFromContextMenu(page, "Generate Documentation");
    await modified.filter({ hasText: "What the item is called" }).waitFor();
    await press("Reject Changes");
    await closed();
    assert.equal(await text(), priceFile);
  });

  it("explains code in a chat, with the code, and leaves a conversation alone", async () => {
    const { palette, chat, goTo } = parts();
    for (const shown of [() => null, () => chat.turns("Assistant").first().elementHandle()]) {
      const before = await shown();
      await goTo("price.ts", 8);
      await palette.run("inference.explain");
      await before?.waitForElementState("hidden");
      await chat.tab.and(chat.tab.page().locator("[aria-selected=true]")).waitFor();
      await chat.find();
      await chat.turns("Assistant").getByText("It adds up a bill.").waitFor();
      assert.equal(await chat.turns("Assistant").count(), 1);
      await chat.turns("You").getByRole("listitem", { name: "price.ts" }).waitFor();
    }
    assert.match(lastQuestion(), /source="src\/price\.ts:7-13"[^]*let sum[^]*Explain the attached code/);
  });

  it("explains what is selected in the terminal", async () => {
    const { palette, page, chat } = parts();
    await palette.runTitle("Terminal: Create New Terminal");
    const terminal = page.locator(".terminal-wrapper");
    await terminal.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
    await page.keyboard.type("echo from-the-terminal\n");
    await terminal.getByText(/^from-the-terminal/).waitFor();
    await palette.runTitle("Terminal: Select All");
    await palette.run("inference.explainTerminalSelection");
    await chat.find();
    await chat.turns("Assistant").getByText("A greeting.").waitFor();
    assert.match(lastQuestion(), /kind="terminal"[^]*from-the-terminal/);
    await palette.runTitle("Terminal: Kill All Terminals");
  });

  it("puts what a review says to the lines, where it is resolved or dismissed, and into no file", async () => {
    const { palette, page, notifications, goTo, screenshot } = parts();
    await goTo("price.ts", 1);
    await palette.run("inference.review");
    const message = await notifications.message("2 comments on price.ts");
    assert.match(message, /service-core · Tokens: /);
    await notifications.press("2 comments on price.ts", "Show First");
    const threads = page.locator(".review-widget:visible");
    const named = threads.filter({ hasText: "name the unit" });
    await named.waitFor();
    await threads.filter({ hasText: "Divides by zero" }).waitFor();
    await screenshot("in-place-review");
    assert.equal(await named.locator("img").count(), 0, "no picture is loaded");
    await page.getByRole("button", { name: /^Ln 8, Col 1\b/ }).waitFor();
    await named.hover();
    await named.getByRole("button", { name: "Resolve" }).click();
    await named.waitFor({ state: "hidden" });
    const other = threads.filter({ hasText: "Divides by zero" });
    await other.hover();
    await other.getByRole("button", { name: "Dismiss", exact: true }).click();
    await other.waitFor({ state: "hidden" });
    await notifications.press("The review comment was dismissed", "Undo");
    await other.waitFor();
    await screenshot("in-place-review-done");
    await palette.run("inference.dismissReview");
    await other.waitFor({ state: "hidden" });
    await notifications.press("2 review comments were dismissed", "Undo");
    await other.waitFor();
    assert.equal(await readFile(file, "utf8"), priceFile);
    assert.equal(await git(editor.workspace, "status", "--porcelain", "src"), "");
    await palette.run("inference.dismissReview");
  });

  it("shows a review that cannot be read as comments in the chat", async () => {
    const { palette, notifications, chat, goTo } = parts();
    await goTo("price.ts", 1);
    isUnreadable = true;
    await palette.run("inference.review");
    await notifications.message("could not be read as comments");
    isUnreadable = false;
    await chat.find();
    await chat.turns("Assistant").getByText("I looked at it, and it is sound.").waitFor();
    await chat.turns("You").getByText("Review the attached code").waitFor();
  });

  it("ends a review that is cancelled at the service", async () => {
    const { palette, notifications, goTo } = parts();
    await goTo("price.ts", 1);
    service.journal.clear();
    service.pace = 1000;
    await palette.run("inference.review");
    await service.journal.next(({ piecesSent }) => piecesSent > 0, AbortSignal.timeout(60_000));
    await notifications.cancelProgress("Reviewing price.ts");
    await service.journal.next(({ state }) => state === "aborted", AbortSignal.timeout(60_000));
    service.pace = 0;
  });

  it("applies an answer's code to several files: all of one, some of another, none of a third", async () => {
    const { diff, chat, quickInput, press, closed, waitForDecisions, screenshot, text, goTo } = parts();
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("several files");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Apply to Files" }).click();
    await quickInput.waitFor("Apply to Files");
    assert.deepEqual(await quickInput.labels(), ["src/price.ts", "src/bill.ts", "summary.ts"]);
    await quickInput.row("summary.ts").locator("input[type=checkbox], .monaco-checkbox").first().click();
    await quickInput.pressButtonOf("src/price.ts", "Decide Change by Change");
    await diff.waitFor();
    await quickInput.root.getByText("1 Selected").waitFor();
    await screenshot("in-place-files");
    await quickInput.root.getByRole("button", { name: "OK" }).click();
    await quickInput.root.waitFor({ state: "hidden" });
    await waitForDecisions("2 changes to decide");
    await press("Accept Change");
    await waitForDecisions("1 change to decide");
    await press("Reject Change");
    await closed();
    assert.equal(await text(), priceFile.replace("let sum", "let cents"));
    await goTo("summary.ts", 1);
    assert.doesNotMatch(await text(), /never applied/);
    await goTo("bill.ts", 1);
    assert.equal(await text(), "export const bill = 1;\n");
  });

  it("names the files whose changes were not all made, and shows what is left", async () => {
    const { page, chat, quickInput, notifications, revert, press, closed, waitForDecisions, text, goTo } =
      parts();
    await goTo("price.ts", 9);
    await chat.find();
    await chat.turns("Assistant").first().getByRole("button", { name: "Apply to Files" }).click();
    await quickInput.waitFor("Apply to Files");
    await page
      .locator(".editor-group-container .view-line")
      .filter({ hasText: /return\ssum/ })
      .click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // mine");
    await quickInput.root.getByRole("button", { name: "OK" }).click();
    const told = await notifications.message("Not all changes were made");
    assert.match(told, /src\/price\.ts/);
    await waitForDecisions("1 change to decide, 1 in lines you changed");
    await press("Reject Changes");
    await closed();
    assert.match(await text(), /return sum; \/\/ mine/);
    await revert();
  });
});
