import assert from "node:assert/strict";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { contextMenuEntry, pickFromContextMenu } from "../support/workbench/explorer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { attachFromButton, holdDiffs, prepareContextWorkspace } from "./contextWorkspace.ts";
import { assertNoLeaksElsewhere } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_CONTEXT_KEY";
const canary = fakeKey("context-5d07");

describe("context, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  const asks: Ask[] = [];
  const attachByButton = (label: string): Promise<void> => attachFromButton(editor, label);

  before(async () => {
    service = await startReferenceService({ contextWindow: 4000, onAsk: (ask) => asks.push(ask) });
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.chat.exclude": { "**/secrets": true },
        "inference.maxTokens": 1000,
        "terminal.integrated.gpuAcceleration": "off",
        // Two that are selected would be one again, a moment after the first was opened.
        "explorer.autoReveal": false,
      },
      environment: { [keyVariable]: canary },
      prepareWorkspace: (folder) => prepareContextWorkspace(folder, canary),
    });
    await editor.workbench.chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** Sends a question with what is attached; gives the text of the request's last message. */
  async function sendAll(question: string): Promise<string> {
    const { chat } = partsOf(editor);
    const before = asks.length;
    const answer = chat.turns("Assistant").nth(await chat.turns("Assistant").count());
    await chat.send(question);
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    return asks[before]?.messages.at(-1)?.text ?? "";
  }

  it("attaches a file by the button, and says how large it is", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    await chat.button("Attach Context").click();
    await quickInput.waitFor("Attach Context");
    await screenshot("context kinds");
    await quickInput.pick("File...");
    await quickInput.waitFor("Attach a File");
    await quickInput.fill("summ");
    await quickInput.row("summary.ts").waitFor();
    // What is found takes the place of all, and of a row under the pointer.
    await quickInput.row("README.md").waitFor({ state: "detached" });
    await screenshot("context file by name");
    await quickInput.pick("summary.ts");
    await chat.attachment("summary.ts").waitFor();
    const sized = chat.attachment("summary.ts").getByRole("button", { name: /about \d+ tokens/ });
    await sized.waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    assert.match(await chat.meterText(), /will be asked after its first answer/);
    await chat.removeAttachment("summary.ts");
  });

  it("offers nothing that is ignored or excluded", async () => {
    const { chat } = partsOf(editor);
    await chat.composer.fill("#");
    await chat.composer.pressSequentially("customers");
    await chat.offer(/./).first().waitFor({ state: "detached" });
    await chat.composer.fill("#");
    await chat.composer.pressSequentially("e");
    await chat.offer(/^readings\.csv/).waitFor();
    const names = await chat.offer(/./).allInnerTexts();
    assert.ok(
      names.some((name) => name.startsWith("kept.log")),
      names.join("; "),
    );
    assert.doesNotMatch(names.join("; "), /customers|debug\.log|idea\.draft|\.env|\.git\//);
    await chat.composer.fill("");
  });

  it("attaches what is selected in the explorer by its menu", async () => {
    const { chat, explorer, screenshot } = partsOf(editor);
    await explorer.open();
    await explorer.select("README.md", "convert.py");
    await explorer.row("convert.py").click({ button: "right" });
    await contextMenuEntry(editor.workbench.page, "Add File to Inference Chat").waitFor();
    await screenshot("context explorer menu");
    await pickFromContextMenu(editor.workbench.page, "Add File to Inference Chat");
    await chat.attachment("README.md").waitFor();
    await chat.attachment("convert.py").waitFor();
    await chat.removeAttachment("README.md");
    await chat.removeAttachment("convert.py");
  });

  it("asks before it attaches a file that may hold keys", async () => {
    const { chat, explorer, dialog, screenshot } = partsOf(editor);
    await explorer.open();
    await explorer.pickFromMenu(".env", "Add File to Inference Chat");
    assert.match((await dialog.read()).message, /\.env may hold keys or passwords/);
    await screenshot("context asks");
    await dialog.press("Cancel");
    await explorer.pickFromMenu(".env", "Add File to Inference Chat");
    await dialog.press("Attach");
    await chat.attachment(".env").waitFor();
    await chat.removeAttachment(".env");
  });

  it("refuses what is ignored, excluded or no text, and says why", async () => {
    const { chat, explorer, notifications } = partsOf(editor);
    await explorer.open();
    await explorer.pickFromMenu("debug.log", "Add File to Inference Chat");
    await notifications.toast(/debug\.log was not attached: \.gitignore names it/).waitFor();
    await explorer.row("docs").click();
    await explorer.pickFromMenu("secrets", "Add File to Inference Chat");
    await notifications.toast(/secrets was not attached: the setting inference\.chat\.exclude/).waitFor();
    await explorer.pickFromMenu("program.bin", "Add File to Inference Chat");
    await notifications.toast(/program\.bin is not a text/).waitFor();
    await chat.open();
    assert.equal(await chat.attachments.count(), 0);
    await editor.workbench.palette.runTitle("Notifications: Clear All Notifications");
  });

  it("attaches a folder as a tree, with files of one's choice", async () => {
    const { chat, explorer, quickInput, screenshot } = partsOf(editor);
    await explorer.open();
    await explorer.pickFromMenu("docs", "Add File to Inference Chat");
    await quickInput.waitFor("Attach the Folder docs");
    await quickInput
      .row(/second\.md/)
      .getByRole("checkbox")
      .click();
    await screenshot("context folder");
    await quickInput.accept();
    await chat.attachment("docs").waitFor();
    await chat.attachment("second.md").waitFor();
    const text = await sendAll("What is there?");
    assert.ok(text.includes("docs/\n  guide/\n    first.md\n    second.md\n"), text);
    assert.ok(text.includes("# Second") && !text.includes("# First"), text);
    assert.ok(!text.includes("secrets"), text);
  });

  it("attaches the selection by the editor's menu", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    await editor.workbench.openFile("summary.ts");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    for (let line = 0; line < 4; line += 1) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+F10");
    await contextMenuEntry(page, "Add Selection to Inference Chat").waitFor();
    await screenshot("context editor menu");
    await pickFromContextMenu(page, "Add Selection to Inference Chat");
    await chat.attachment("summary.ts").waitFor();
    const open = chat.attachment("summary.ts").getByRole("button", { name: /^Open/ });
    assert.match((await open.getAttribute("title")) ?? "", /^summary\.ts:3-6\n/);
    await page.locator(".editor-instance .view-lines").first().click();
    await open.click();
    await page
      .locator(".statusbar")
      .getByText(/Ln 7, Col 1|Ln 6/)
      .waitFor();
  });

  it("attaches the problems of the file and of the workspace", async () => {
    const { chat, page } = partsOf(editor);
    await editor.workbench.openFile("broken.json");
    await page.locator(".editor-instance .squiggly-error").first().waitFor();
    await attachByButton("Problems of the File");
    await chat.attachment("Problems: broken.json").waitFor();
    await attachByButton("Problems of the Workspace");
    await chat.attachment("Problems: workspace").waitFor();
  });

  it("attaches staged and unstaged changes and a commit, without what is excluded", async () => {
    const { chat, quickInput, notifications } = partsOf(editor);
    await attachByButton("Git: Staged Changes");
    await chat.attachment("Staged changes").waitFor();
    await attachByButton("Git: Unstaged Changes");
    await chat.attachment("Unstaged changes").waitFor();
    const letGo = await holdDiffs(editor.workspace);
    try {
      await attachByButton("Git: Commit...");
      await quickInput.pick("Say more of the log");
      await notifications.cancelProgress(/^Reading Commit [0-9a-f]{8}$/);
    } finally {
      await letGo();
    }
    await attachByButton("Git: Commit...");
    await quickInput.pick("Say more of the log");
    await chat.attachment(/^Commit [0-9a-f]{8}$/).waitFor();
  });

  it("leaves the focus in a file when one goes on there while an attachment is read", async () => {
    const { chat, page, palette, notifications, workbench } = partsOf(editor);
    await chat.removeAttachment("Staged changes");
    await workbench.openFile("README.md");
    const lines = page.locator(".editor-instance .view-lines").first();
    const letGo = await holdDiffs(editor.workspace);
    try {
      await attachByButton("Git: Staged Changes");
      await notifications.toast(/^Reading Staged changes/).waitFor();
      await lines.click();
      await workbench.waitForFocusIn("README.md");
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("typed");
    } finally {
      await letGo();
    }
    await chat.attachment("Staged changes").waitFor();
    await page.keyboard.type("OnAndOn");
    await lines.getByText("typedOnAndOn").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
    await palette.runTitle("File: Revert File", "workbench.action.files.revert");
  });

  it("attaches search results and a symbol", async () => {
    const { chat, quickInput } = partsOf(editor);
    await attachByButton("Search Results...");
    await quickInput.answer("A text to look for", "HARBOUR");
    await chat.attachment("Search: HARBOUR").waitFor();
    await editor.workbench.openFile("summary.ts");
    await attachByButton("Symbol...");
    await quickInput.waitFor("Attach a Symbol");
    await quickInput.fill("average");
    await quickInput.row("average").first().waitFor();
    await quickInput.row("parseReadings").waitFor({ state: "detached" });
    await quickInput.pick("average");
    await chat.attachment("average").waitFor();
  });

  it("attaches what is selected in the terminal, and leaves the clipboard alone", async () => {
    const { chat, page, palette } = partsOf(editor);
    await page.evaluate("navigator.clipboard.writeText('what was copied before')");
    await palette.runTitle("Terminal: Create New Terminal");
    const terminal = page.locator(".terminal-wrapper");
    await terminal.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
    await page.keyboard.type("echo from-the-terminal\n");
    await terminal.getByText(/^from-the-terminal/).waitFor();
    await palette.runTitle("Terminal: Select All");
    await attachByButton("Terminal Selection");
    await chat.attachment(/^Terminal: /).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "what was copied before");
    await palette.runTitle("Terminal: Kill All Terminals");
  });

  it("keeps the attachments while the view is hidden", async () => {
    const { chat, explorer, screenshot } = partsOf(editor);
    await explorer.open();
    await chat.open();
    await chat.attachment("average").waitFor();
    await screenshot("context attachments");
  });

  it("sends them ahead of the question, without keys and without the machine's paths", async () => {
    const { chat, notifications } = partsOf(editor);
    await chat.composer.fill("#settings.t");
    await chat.composer.press("End");
    await chat.offer(/^settings\.txt/).waitFor();
    await chat.composer.press("Enter");
    await chat.attachment("settings.txt").waitFor();
    const [text] = await Promise.all([
      sendAll("What do you make of all this?"),
      notifications.toast(/Your message held the API key of Acme/).waitFor(),
    ]);
    assert.ok(text.endsWith("</attachment>\n\nWhat do you make of all this?"), text.slice(-200));
    const selection =
      '<attachment kind="selection" name="summary.ts" source="summary.ts:3-6">\n```typescript\n';
    assert.ok(text.includes(selection));
    assert.match(text, /broken\.json:\d+:\d+ error json\(\d+\): /);
    assert.ok(text.includes("+staged-station,1.5") && text.includes("+# an unstaged line"), text);
    assert.ok(text.includes("Say more of the log") && text.includes("+A line of the second commit."));
    assert.ok(text.includes("readings.csv:2: harbour,11.5"));
    assert.ok(text.includes('kind="symbol" name="average"') && text.includes("sum + reading.celsius"));
    assert.ok(text.includes("from-the-terminal"));
    assert.ok(!text.includes("address"), "what is excluded stays out of diffs as well");
    assert.ok(text.includes("the key is [API key]") && !text.includes(canary));
    const rest = text.replace(/<attachment kind="terminal".*?<\/attachment>/s, "");
    assert.ok(!rest.includes(editor.workspace), "no absolute path is sent");
    assert.equal(await chat.attachments.count(), 0);
    await chat.turns("You").last().getByRole("listitem", { name: "settings.txt" }).waitFor();
    await assertNoLeaksElsewhere(editor, canary, "after files were attached");
  });

  it("opens what was attached when there is no such file", async () => {
    const { chat, page } = partsOf(editor);
    const staged = chat.turns("You").last().getByRole("listitem", { name: "Staged changes", exact: true });
    await staged.getByRole("button").click();
    await page.getByRole("tab", { name: /^Staged changes\.diff/ }).waitFor();
    await page.locator(".editor-instance .view-lines").getByText("+staged-station").waitFor();
  });
});
