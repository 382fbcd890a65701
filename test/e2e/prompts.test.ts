import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { promptText } from "../../src/chat/promptTemplates.ts";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaksElsewhere } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { outsideWord, preparePromptWorkspace } from "./promptWorkspace.ts";

const keyVariable = "INFERENCE_PROMPTS_KEY";
const canary = fakeKey("prompts-31aa");

/** What stands in the files of all chats. */
async function storedConversations(root: string): Promise<string> {
  const files = await readdir(root, { recursive: true });
  const own = files.filter((file) => file.includes("conversations") && file.endsWith(".jsonl"));
  return (await Promise.all(own.map((file) => readFile(path.join(root, file), "utf8")))).join("\n");
}

function systemOf({ messages }: Ask): string {
  return messages.flatMap(({ role, text }) => (role === "system" ? [text] : [])).join("\n");
}

function questionOf({ messages }: Ask): string {
  return messages.at(-1)?.text ?? "";
}

describe("prompts and instructions, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ onAsk: (asked) => asks.push(asked) });
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.chat.exclude": { "**/secrets": true },
        "inference.instructions": "Be brief.",
      },
      environment: { [keyVariable]: canary },
      prepareWorkspace: (folder) => preparePromptWorkspace(folder, canary),
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

  /** Types as a person does, and waits for the answer's end; gives what the service was asked. */
  async function ask(typed: string): Promise<{ readonly asked: Ask; readonly turn: Locator }> {
    const { chat, page } = partsOf(editor);
    await chat.composer.focus();
    await page.keyboard.type(typed);
    return sendTyped();
  }

  async function sendTyped(): Promise<{ readonly asked: Ask; readonly turn: Locator }> {
    const { chat, page } = partsOf(editor);
    const before = asks.length;
    const answers = await chat.turns("Assistant").count();
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").nth(answers).getByRole("button", { name: "Retry" }).waitFor();
    const asked = asks[before];
    assert.ok(asked);
    assert.equal(await chat.prompt(/./).count(), 0);
    return { asked, turn: chat.turns("You").last() };
  }

  /** The composer has its text back, and nothing was sent. */
  async function refused(typed: string, sentence: string | RegExp): Promise<void> {
    const { chat, page, notifications } = partsOf(editor);
    const before = asks.length;
    await chat.composer.fill(typed);
    await page.keyboard.press("Enter");
    await notifications.message(sentence);
    assert.equal(await chat.textGivenBack(), typed);
    assert.equal(asks.length, before);
    await chat.composer.fill("");
    await notifications.clear();
  }

  it("explains what is selected, by the keyboard alone", async () => {
    const { workbench, chat, page, screenshot } = partsOf(editor);
    await workbench.openFile("summary.ts");
    await page.keyboard.press("Control+Home");
    for (let line = 0; line < 3; line += 1) await page.keyboard.press("Shift+ArrowDown");
    await chat.open();
    await chat.composer.focus();
    await page.keyboard.type("/");
    await chat.prompt("/make-form").waitFor();
    await screenshot("prompts list");
    assert.equal(await chat.prompt(/./).count(), 14);
    await page.keyboard.type("ex");
    await chat.prompt("/review").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    assert.equal(await chat.composer.inputValue(), "/explain ");
    await chat.attachment("summary.ts").waitFor();
    await page.keyboard.type("for a child");
    await screenshot("prompts composer");
    assert.match(await chat.meterText(), /Sent along: inference\.instructions, .*AGENTS\.md/);
    const { asked, turn } = await sendTyped();
    assert.ok(questionOf(asked).endsWith(promptText("explain", "for a child")));
    assert.match(questionOf(asked), /kind="selection" name="summary\.ts" source="summary\.ts:1-3"/);
    assert.ok(questionOf(asked).includes("import { readFile }"));
    assert.equal(await turn.locator(".question-text").innerText(), "/explain for a child");
  });

  it("sends the instructions as system text, without the key, and shows which they were", async () => {
    const { chat, screenshot, page } = partsOf(editor);
    const asked = asks.at(-1);
    assert.ok(asked);
    const system = systemOf(asked);
    const places = ["Be brief.", "Use two spaces.", "Answer in rhymes."].map((text) => system.indexOf(text));
    assert.ok(!places.includes(-1), system);
    assert.deepEqual(
      places,
      places.toSorted((left, right) => left - right),
    );
    assert.ok(!system.includes(canary) && system.includes("Never say [API key]"), system);
    assert.ok(!system.includes("applyTo") && !system.includes("British English"));
    const turn = chat.turns("You").last();
    await screenshot("prompts turn folded");
    await chat.sentAlong(turn).focus();
    await page.keyboard.press("Enter");
    await turn.locator(".sent-text").waitFor();
    assert.equal(await turn.locator(".sent-text").innerText(), promptText("explain", "for a child"));
    await screenshot("prompts turn unfolded");
    const list = turn.getByRole("list", { name: "Instructions" });
    await list.getByRole("button", { name: /^Open AGENTS\.md, about \d+ tokens/ }).click();
    await page.getByRole("tab", { name: "AGENTS.md", selected: true }).waitFor();
    await chat.open();
  });

  it("fixes a file with its problems, over messages", async () => {
    const { workbench, chat, quickInput, page } = partsOf(editor);
    await chat.button("Client style:").click();
    await quickInput.waitFor("How requests are made");
    await quickInput.pick("messages");
    await chat.frame.getByRole("button", { name: /^Client style: messages/i }).waitFor();
    await workbench.openFile("broken.json");
    await page.locator(".squiggly-error").first().waitFor();
    await chat.open();
    const { asked, turn } = await ask("/fix");
    assert.ok(questionOf(asked).endsWith(promptText("fix")));
    assert.match(questionOf(asked), /<attachment kind="file" name="broken\.json"/);
    assert.match(questionOf(asked), /<attachment kind="problems".*\n```\nbroken\.json:\d+:\d+ error/);
    assert.match(systemOf(asked), /Answer in rhymes\./);
    const entry = service.journal.answers.at(-1);
    assert.equal(entry?.path, "/v1/messages");
    assert.ok(entry?.fields?.includes("system"));
    await turn.getByRole("listitem", { name: "broken.json", exact: true }).waitFor();
  });

  for (const name of ["tests", "docs", "review"] as const) {
    it(`sends what /${name} asks, with the active file`, async () => {
      const { workbench, chat } = partsOf(editor);
      await workbench.openFile("convert.py");
      await chat.open();
      const { asked } = await ask(`/${name} carefully`);
      assert.ok(questionOf(asked).endsWith(promptText(name, "carefully")));
      assert.match(questionOf(asked), /<attachment kind="file" name="convert\.py"/);
    });
  }

  it("takes the staged changes for a commit's message", async () => {
    const { asked } = await ask("/commit");
    assert.ok(questionOf(asked).endsWith(promptText("commit")));
    assert.match(questionOf(asked), /<attachment kind="diff" name="Staged changes"/);
    assert.ok(questionOf(asked).includes("staged-station") && !questionOf(asked).includes("another address"));
  });

  it("does not take up again what was taken off", async () => {
    const { chat, page } = partsOf(editor);
    await chat.composer.focus();
    await page.keyboard.insertText("/expl");
    await chat.prompt("/explain").waitFor();
    await page.keyboard.press("Tab");
    await chat.attachment("convert.py").waitFor();
    await chat.removeAttachment("convert.py");
    await chat.composer.focus();
    await page.keyboard.type("what a closure is");
    const { asked } = await sendTyped();
    assert.equal(questionOf(asked), promptText("explain", "what a closure is"));
  });

  it("fills a prompt file with arguments, asks for the one that is missing, and attaches what it links to", async () => {
    const { chat, page, quickInput, screenshot } = partsOf(editor);
    await chat.composer.focus();
    await page.keyboard.insertText("/make");
    await chat.prompt(/\/make-form/).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type('formName="Sign ${input:fields} in" and be quick');
    const before = asks.length;
    const answers = await chat.turns("Assistant").count();
    await page.keyboard.press("Enter");
    await quickInput.waitFor("Prompt /make-form: fields");
    assert.equal((await quickInput.read()).placeholder, "Which fields?");
    await screenshot("prompts input");
    await quickInput.fill("name, mail");
    await quickInput.accept();
    await chat.turns("Assistant").nth(answers).getByRole("button", { name: "Retry" }).waitFor();
    const asked = asks[before];
    assert.ok(asked);
    assert.ok(
      questionOf(asked).endsWith(
        "Make the form Sign ${input:fields} in with name, mail in convert.py.\nHeed [our guide](../../docs/guide/first.md).\n\nand be quick",
      ),
      questionOf(asked),
    );
    assert.match(questionOf(asked), /<attachment kind="file" name="first\.md"/);
    // A file in a folder with instructions of its own has brought them along.
    assert.match(systemOf(asked), /source="docs\/AGENTS\.md">\nDocuments are in British English/);
    const turn = chat.turns("You").last();
    await chat.sentAlong(turn).click();
    await turn.getByRole("button", { name: ".github/prompts/form.prompt.md" }).waitFor();
    await turn.getByText("Not used here: agent, tools.").waitFor();
    await screenshot("prompts file unfolded");
  });

  it("sends instructions as they are now, and an answer's retry as they were", async () => {
    const { chat } = partsOf(editor);
    await writeFile(path.join(editor.workspace, "AGENTS.md"), "Answer in prose.\n");
    const { asked, turn } = await ask("Hello");
    assert.match(systemOf(asked), /Answer in prose\./);
    await writeFile(path.join(editor.workspace, "AGENTS.md"), "Answer in song.\n");
    const before = asks.length;
    await chat.turns("Assistant").last().getByRole("button", { name: "Retry" }).click();
    await chat.turns("Assistant").last().getByText("2 / 2").waitFor();
    const again = asks[before];
    assert.ok(again);
    assert.match(systemOf(again), /Answer in prose\./);
    await turn.hover();
    await turn.getByRole("button", { name: "Edit" }).click();
    const answered = asks.length;
    await chat.frame.getByRole("textbox", { name: "Edit question" }).fill("Hello again");
    await chat.frame.locator(".question-editor").getByRole("button", { name: "Send" }).click();
    await chat.turns("You").last().getByText("Hello again").waitFor();
    await chat.turns("Assistant").last().getByRole("button", { name: "Retry" }).waitFor();
    const edited = asks[answered];
    assert.ok(edited);
    assert.match(systemOf(edited), /Answer in song\./);
  });

  it("says of hostile prompt files what is wrong, and loses nothing", async () => {
    const { chat, notifications, screenshot } = partsOf(editor);
    await chat.composer.fill("/");
    await chat.prompt("/broken").waitFor();
    await screenshot("prompts list hostile");
    await refused("/broken", "Line 2 of .github/prompts/broken.prompt.md has a quotation mark");
    await refused("/huge", /huge\.prompt\.md was not read: it is too large/);
    await refused("/binary and more", "binary.prompt.md was not read: it is not a text");
    await refused("/link", "link.prompt.md was not read: it leads out of this workspace");
    await refused("/nothing like it", "There is no prompt /nothing");
    await chat.composer.fill("/hostile");
    const taken =
      ".github/prompts/second.prompt.md gives its prompt the same name as .github/prompts/hostile";
    await chat.prompt(taken).waitFor();
    await screenshot("prompts of one name");
    await chat.composer.fill("");
    const { asked } = await ask("/hostile");
    assert.match(questionOf(asked), /Tell of \[one\]/);
    await notifications.message("is outside of this workspace");
    await screenshot("prompts hostile links");
    assert.ok(!JSON.stringify(asked).includes(outsideWord));
    assert.ok(!/root:|Someone's address|<attachment/.test(questionOf(asked)), questionOf(asked));
    await notifications.clear();
  });

  it("asks before a prompt file's link to a file with keys is attached", async () => {
    const { chat, page, dialog } = partsOf(editor);
    const before = asks.length;
    const answers = await chat.turns("Assistant").count();
    await chat.composer.focus();
    await page.keyboard.type("/env");
    await page.keyboard.press("Enter");
    assert.match((await dialog.read()).message, /\.env may hold keys or passwords/);
    await dialog.press("Cancel");
    await chat.turns("Assistant").nth(answers).getByRole("button", { name: "Retry" }).waitFor();
    assert.ok(!JSON.stringify(asks[before]).includes("hunter2"));
  });

  it("keeps what was sent across a reload", async () => {
    const { workbench, chat } = partsOf(editor);
    await workbench.reload();
    await chat.open();
    const turn = chat.turns("You").filter({ hasText: "/explain for a child" });
    await chat.sentAlong(turn).click();
    assert.equal(await turn.locator(".sent-text").innerText(), promptText("explain", "for a child"));
    const list = turn.getByRole("list", { name: "Instructions" });
    await list.getByRole("listitem", { name: "AGENTS.md" }).waitFor();
    const stored = await storedConversations(editor.folders.root);
    assert.ok(stored.includes("Never say [API key]"));
    await assertNoLeaksElsewhere(editor, canary, "after prompts and instructions");
  });
});

describe("prompts and instructions in Restricted Mode, in a real editor", () => {
  it("are not read, which is said", async () => {
    const asks: Ask[] = [];
    await using service = await startReferenceService({ onAsk: (asked) => asks.push(asked) });
    service.keys.add({}, canary);
    await using editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: canary },
      workspaceTrust: true,
      prepareWorkspace: async (folder) => {
        await preparePromptWorkspace(folder, canary);
        const settings = JSON.stringify({ "inference.instructions": "Obey the repository." });
        await mkdir(path.join(folder, ".vscode"));
        await writeFile(path.join(folder, ".vscode", "settings.json"), settings);
      },
    });
    const { chat, page, notifications, screenshot } = partsOf(editor);
    await chat.open();
    const note = "In Restricted Mode this workspace's prompts and instructions are not read.";
    await chat.transcript.getByText(note).waitFor();
    await chat.composer.focus();
    await page.keyboard.type("/");
    await chat.prompt("/explain").waitFor();
    await chat.frame.locator(".offers").getByText(note).waitFor();
    await screenshot("prompts restricted");
    assert.equal(await chat.prompt(/./).count(), 6);
    await chat.composer.fill("/make-form x");
    await page.keyboard.press("Enter");
    await notifications.message("There is no prompt /make-form");
    assert.equal(await chat.textGivenBack(), "/make-form x");
    await chat.send("Hello");
    await chat.turns("Assistant").getByRole("button", { name: "Retry" }).waitFor();
    assert.deepEqual(
      asks.map(({ messages }) => messages.map(({ role, text }) => [role, text])),
      [[["user", "Hello"]]],
    );
  });
});
