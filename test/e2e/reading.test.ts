import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, symlink, watch, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { tellFigure } from "../support/figures.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { outsideFiles, readingAnswers } from "./readingAnswers.ts";
import { askInNewChat, partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const changedFile = ["first", "untouched", "last"]
  .map((name) => `export function ${name}(value: number): number {\n  return value;\n}\n`)
  .join("\n");

/** What each stands for has a colour of its own: a keyword of control, another, a function, a type, a text. */
const colouredWords = [/^\s*import\s*$/, /^\s*const\s*$/, /^average$/, /^Reading$/, /^"readings\.csv"$/];

const colourOf = inPage<string>("(element) => getComputedStyle(element).color");

describe("using the code of an answer, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: (message) => readingAnswers[message] });
    const key = fakeKey("reading");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 1_000_000,
        "workbench.editor.useModal": "off",
      },
      environment: { [keyVariable]: key },
      prepareWorkspace: (folder) => writeFile(path.join(folder, "changed.ts"), changedFile),
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const ask = (message: string): Promise<Locator> => askInNewChat(editor, message);

  async function openFile(name: string, line: number): Promise<void> {
    const { palette, quickInput, page } = partsOf(editor);
    await palette.runTitle("Go to File...", "workbench.action.quickOpen");
    await quickInput.fill(`${name}:${line}`);
    await quickInput.pick(name);
    await page.getByRole("tab", { name, selected: true }).waitFor();
    await page.getByRole("button", { name: new RegExp(`^Ln ${line}, `) }).waitFor();
    await page.locator(".monaco-editor.focused").waitFor();
  }

  /** What the active file shows, as far as it is in sight. */
  async function shownText(): Promise<string> {
    const { page } = partsOf(editor);
    const lines = page.locator(".editor-group-container.active .monaco-editor .view-lines").last();
    return (await lines.innerText()).replaceAll("\u00a0", " ");
  }

  async function waitForText(text: string | RegExp): Promise<void> {
    const { page } = partsOf(editor);
    const lines = page.locator(".editor-group-container.active .monaco-editor .view-lines");
    await lines.filter({ hasText: text }).last().waitFor();
  }

  it("runs a command only when asked to, and shows it first as it is", async () => {
    const { dialog, page, notifications, screenshot } = partsOf(editor);
    const answer = await ask("shell");
    await answer.getByRole("button", { name: "Run in Terminal" }).first().click();
    const { message, detail } = await dialog.read();
    assert.match(message, /Run this command/);
    assert.match(detail, /^echo seen-\$\(\(40 \+ 2\)\)\[U\+200B\]/);
    assert.match(detail, /invisible characters/);
    await screenshot("reading-run");
    assert.equal(await page.locator(".terminal-wrapper").count(), 0, "nothing runs before the word");
    await dialog.press("Cancel");
    assert.equal(await page.locator(".terminal-wrapper").count(), 0);
    const written = waitForFile(editor.workspace, "ran.txt");
    await answer.getByRole("button", { name: "Run in Terminal" }).nth(1).click();
    await dialog.press("Run");
    await written;
    await screenshot("reading-terminal");
    await answer.getByRole("button", { name: "Run in Terminal" }).nth(2).click();
    await notifications.message("control characters");
    await partsOf(editor).palette.runTitle("View: Hide Panel", "workbench.action.closePanel");
  });

  it("inserts code at the cursor, indented like it, in one step of undo", async () => {
    const { page } = partsOf(editor);
    const answer = await ask("snippet");
    await openFile("summary.ts", 24);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n    ");
    await page.getByRole("button", { name: /^Ln 26, Col 5/ }).waitFor();
    const before = await shownText();
    await answer.getByRole("button", { name: "Insert at Cursor" }).first().click();
    await waitForText("const inserted = 1;");
    assert.match(
      await shownText(),
      / {4}const inserted = 1;\n {4}if \(inserted\) \{\n {6}again\(\);\n {4}\}/,
    );
    await page.locator(".editor-group-container.active .monaco-editor.focused").waitFor();
    await page.keyboard.press("Control+Z");
    await page.locator(".view-lines").filter({ hasText: "const inserted" }).waitFor({ state: "detached" });
    assert.equal(await shownText(), before);
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Z");
  });

  it("opens code as a new file of its language, which is written nowhere yet", async () => {
    const { page, palette } = partsOf(editor);
    const answer = await ask("snippet");
    await answer.getByRole("button", { name: "Save as New File" }).first().click();
    await waitForText("const inserted = 1;");
    await page
      .getByRole("button", { name: /^TypeScript/ })
      .first()
      .waitFor();
    await palette.runTitle("File: Revert File", "workbench.action.files.revert");
  });

  it("shows the changes to the file that the block names, and makes all of them at a word", async () => {
    const { page, screenshot } = partsOf(editor);
    const file = path.join(editor.workspace, "changed.ts");
    const answer = await ask("apply");
    await answer.getByRole("button", { name: "Apply in Editor" }).first().click();
    await page.locator(".monaco-diff-editor").waitFor();
    await page.getByRole("tab", { name: /changed\.ts \(proposed changes\)/ }).waitFor();
    await screenshot("reading-apply");
    assert.doesNotMatch(await readFile(file, "utf8"), /Twice/, "nothing is written by looking");
    await page.getByRole("button", { name: "Accept All Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    await waitForText("return value * 3; // Thrice");
    assert.match(await shownText(), /first.*\n.*value \* 2; \/\/ Twice[^]*function untouched[^]*Thrice/);
    await page.keyboard.press("Control+Z");
    // One undo takes all of it back.
    await waitForText(/first[^]*return\svalue;[^]*untouched[^]*return\svalue;[^]*last[^]*return\svalue;/);
  });

  it("makes some of the changes, or none", async () => {
    const { page, palette, quickInput, screenshot } = partsOf(editor);
    const answer = partsOf(editor).chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Apply in Editor" }).first().click();
    await page.getByRole("button", { name: "Reject Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    await answer.getByRole("button", { name: "Apply in Editor" }).first().click();
    // The palette has the command when the title has its buttons.
    await page.getByRole("button", { name: "Accept All Changes" }).waitFor();
    await palette.run("inference.acceptProposalPartly");
    await quickInput.waitFor("Choose Changes");
    await screenshot("reading-choose");
    await quickInput
      .row("return value * 2; // Twice")
      .locator("input[type=checkbox], .monaco-checkbox")
      .first()
      .click();
    await quickInput.accept();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    await waitForText("Thrice");
    assert.doesNotMatch(await shownText(), /Twice/);
    await page.keyboard.press("Control+Z");
    await waitForText(/return\svalue;[^]*return\svalue;/);
  });

  it("keeps what is typed into the file meanwhile", async () => {
    const { page, statusBar } = partsOf(editor);
    const answer = partsOf(editor).chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Apply in Editor" }).first().click();
    await page.locator(".monaco-diff-editor").waitFor();
    await page.locator(".monaco-diff-editor .editor.original .view-lines").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("const typed = 1;\n");
    await statusBar.waitFor("2 changes to decide");
    await page.getByRole("button", { name: "Accept All Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    await waitForText("const typed = 1;");
    assert.match(await shownText(), /typed = 1[^]*Twice[^]*Thrice/);
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Z");
  });

  it("makes a file that the block names at a word, and none outside of the workspace", async () => {
    const { page, quickInput } = partsOf(editor);
    const answer = await ask("new file");
    await answer.getByRole("button", { name: "Apply in Editor" }).click();
    await quickInput.pick(/Create src\/fresh\/made\.ts/);
    await page.getByRole("button", { name: "Accept All Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    const file = path.join(editor.workspace, "src", "fresh", "made.ts");
    assert.equal(await readFile(file, "utf8"), "export const made = 1;\n");
    const parent = path.dirname(editor.workspace);
    await symlink(parent, path.join(editor.workspace, "linked"));
    for (const [name, offered] of Object.entries(outsideFiles)) {
      const other = await ask(`write ${name}`);
      await other.getByRole("button", { name: "Apply in Editor" }).click();
      await quickInput.waitFor("Apply in Editor");
      const labels = (await quickInput.labels()).map((label) => label.trim());
      assert.deepEqual(
        labels.filter((label) => label.includes("outside")),
        offered,
      );
      await quickInput.cancel();
    }
    for (const folder of [parent, "/tmp", homedir()]) assert.ok(!existsSync(path.join(folder, "outside.ts")));
    // What has no ending is taken for no file's name; the changes are shown to the file that was used last.
    await (await ask("git hook without an ending")).getByRole("button", { name: "Apply in Editor" }).click();
    await page.getByRole("button", { name: "Reject Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    assert.ok(!existsSync(path.join(editor.workspace, ".git", "hooks", "pre-commit")));
  });

  it("warns before a file is written that has something done by itself", async () => {
    const { page, quickInput, dialog, palette, screenshot } = partsOf(editor);
    const accept = page.getByRole("button", { name: "Accept All Changes" });
    const actingFiles = [
      ["tasks", ".vscode/tasks.json", /version[^]*version/],
      ["settings", ".vscode/settings.json", /tabSize[^]*tabSize/],
      ["git hook", ".git/hooks/pre-commit.sh", /caught[^]*caught/],
    ] as const;
    for (const [message, name, twice] of actingFiles) {
      const answer = await ask(message);
      await answer.getByRole("button", { name: "Apply in Editor" }).click();
      await quickInput.pick(new RegExp(`Create ${name.replaceAll(".", "\\.")}`));
      await accept.click();
      const warning = await dialog.read();
      assert.match(warning.message, /can have programs run, or settings changed, by itself/);
      await screenshot("reading-acting-file");
      await dialog.press("Cancel");
      assert.ok(!existsSync(path.join(editor.workspace, name)), name);
      await accept.click();
      await dialog.press("Change It");
      await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
      assert.ok(existsSync(path.join(editor.workspace, name)), name);
      // It is open now.
      const insert = answer.getByRole("button", { name: "Insert at Cursor" });
      await insert.click();
      assert.deepEqual(await dialog.read(), warning);
      await dialog.press("Cancel");
      await answer.locator("[data-code-action=insert]:focus").waitFor();
      assert.doesNotMatch(await shownText(), twice);
      await insert.click();
      await dialog.press("Change It");
      await waitForText(twice);
      await page.locator(".editor-group-container.active .monaco-editor.focused").waitFor();
      await page.keyboard.press("Control+Z");
      await page.locator(".view-lines").filter({ hasText: twice }).waitFor({ state: "detached" });
    }
    await palette.runTitle("Preferences: Open User Settings (JSON)", "workbench.action.openSettingsJson");
    await waitForText("inference.connections");
    const answer = await ask("settings");
    await answer.getByRole("button", { name: "Insert at Cursor" }).click();
    assert.match((await dialog.read()).message, /User\/settings\.json can have programs run/);
    await screenshot("reading-acting-user-settings");
    await dialog.press("Cancel");
    assert.doesNotMatch(await shownText(), /tabSize/);
    tellFigure(
      `Apply in Editor and Insert at Cursor, aimed at files that have something done by themselves: ${actingFiles.length} of ${actingFiles.length} written only behind a warning; at ${Object.keys(outsideFiles).length} places outside: none outside of the workspace`,
    );
  });

  it("opens files of the workspace at their line", async () => {
    const { page } = partsOf(editor);
    const answer = await ask("links");
    await answer.getByRole("link", { name: "the summary" }).click();
    await page.getByRole("tab", { name: /^summary\.ts/ }).waitFor();
    await page.getByRole("button", { name: /^Ln 10, Col 1/ }).waitFor();
    await answer.getByRole("link", { name: "./readings.csv:2" }).click();
    await page.getByRole("button", { name: /^Ln 2, Col 1/ }).waitFor();
  });

  it("gives code the colours that the editor has for it, also when the theme changes", async () => {
    const { page, workbench } = partsOf(editor);
    await workbench.setTheme("light");
    await openFile("summary.ts", 1);
    const answer = await ask("same code");
    const seen: string[] = [];
    for (const theme of ["light", "dark"] as const) {
      await workbench.setTheme(theme);
      for (const word of colouredWords) {
        const inEditor = page
          .locator(".monaco-editor .view-line span > span")
          .filter({ hasText: word })
          .first();
        const inChat = answer.locator("pre span[class^=token-]").filter({ hasText: word }).first();
        const colours = (): Promise<string[]> =>
          Promise.all([inEditor, inChat].map((each) => each.evaluate(colourOf)));
        let [one, other] = await colours();
        // Both go over to a new theme by themselves, the one before the other.
        while (one !== other || seen.includes(other ?? "")) {
          await page.evaluate("new Promise(requestAnimationFrame)");
          [one, other] = await colours();
        }
        seen.push(other ?? "");
      }
      await workbench.screenshot(`reading-same-colours-${theme}`);
    }
    assert.equal(new Set(seen).size, colouredWords.length * 2);
  });
});

/** Until the folder has the file. */
async function waitForFile(folder: string, name: string): Promise<void> {
  for await (const event of watch(folder, { signal: AbortSignal.timeout(60_000) })) {
    if (event.filename === name) return;
  }
}
