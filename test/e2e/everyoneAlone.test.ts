import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { type FocusedControl, focusedControl } from "../support/workbench/keyboardFocus.ts";
import { heard, listen, spokenBy } from "../support/workbench/spoken.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_ALONE_KEY";
const code = "Here it is.\n\n```ts\nconst total = 1;\n```\n";

/** Sentences enough to be cut off in the midst of. */
function talkOf(name: string): string {
  return Array.from({ length: 400 }, (_, index) => `This is sentence ${index} of the ${name}.`).join(" ");
}

function answerTo(message: string): string | undefined {
  // What is attached stands in front.
  if (message.includes("Show me code")) return code;
  return /^Talk of the (\w+)/.exec(message)?.[1]?.replace(/^.*$/, talkOf);
}

describe("for everyone who has a keyboard or a screen reader alone, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: answerTo });
    const key = fakeKey("alone");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
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

  /** Where the focus is; a person has to see it. */
  async function focused(): Promise<string | undefined> {
    const stop = await focusedControl(editor.workbench.chat.frame, "--vscode-sideBar-background");
    assert.ok(stop === undefined || stop.ring >= 3, `${stop?.name} shows no focus`);
    return stop?.name;
  }

  async function press(key: string): Promise<FocusedControl["name"] | undefined> {
    await editor.workbench.page.keyboard.press(key);
    return focused();
  }

  /** Presses the key until the focus is there. */
  async function goTo(key: string, name: string): Promise<void> {
    const stops: string[] = [];
    for (let presses = 0; presses < 40; presses += 1) {
      const stop = await press(key);
      if (stop === name) return;
      stops.push(stop ?? "outside");
    }
    assert.fail(`${name} is not among ${stops.join(", ")}`);
  }

  /** From the composer to the newest turn of the transcript, or by another key to another one. */
  async function enterTranscript(key = "ArrowUp"): Promise<void> {
    await goTo("Shift+Tab", "log Conversation");
    await press(key);
  }

  async function attach(name: string): Promise<void> {
    const { chat, page } = partsOf(editor);
    await page.keyboard.type(`#${name.slice(0, 5)}`);
    await chat
      .offer(new RegExp(`^${name}`))
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await chat.attachment(name).waitFor();
  }

  it("attaches, takes off again, asks, and uses the code of the answer", async () => {
    const { chat, page } = partsOf(editor);
    await editor.workbench.beginChat();
    await attach("summary.ts");
    await attach("readings.csv");
    await goTo("Shift+Tab", "button Open readings.csv, about 13 tokens");
    await press("Delete");
    await chat.attachment("readings.csv").waitFor({ state: "detached" });
    await goTo("Tab", "textbox Message");
    await page.keyboard.type("Show me code");
    await page.keyboard.press("Enter");
    await chat.usage.first().waitFor();
    assert.equal(await chat.turns("You").first().getByRole("listitem").count(), 1);
    assert.equal(await focused(), "textbox Message");

    await enterTranscript();
    assert.equal(await focused(), "article Assistant");
    await goTo("Tab", "button Copy Code");
    assert.equal(await press("ArrowRight"), "button Insert at Cursor");
    assert.equal(await press("ArrowRight"), "button Apply in Editor");
    assert.equal(await press("Home"), "button Copy Code");
    await page.keyboard.press("Enter");
    assert.equal((await readClipboard(page, "const total")).trim(), "const total = 1;");
  });

  it("retries, stops, edits, and goes between the branches", async () => {
    const { chat, page } = partsOf(editor);
    await chat.composer.focus();
    await enterTranscript();
    await goTo("Tab", "button Retry");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    assert.equal(await focused(), "textbox Message");

    await page.keyboard.type("Hello /long 4000 /pace 50");
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").nth(1).getByText(/\w+/).first().waitFor();
    await page.keyboard.press("Escape");
    await chat.transcript.getByText("Stopped.", { exact: true }).waitFor();
    assert.equal(await focused(), "textbox Message");

    await enterTranscript("Home");
    assert.equal(await focused(), "article You");
    await goTo("Tab", "button Edit");
    await page.keyboard.press("Enter");
    await chat.frame.locator("[aria-label='Edit question']:focus").waitFor();
    await page.keyboard.type(" again");
    await page.keyboard.press("Enter");
    await chat.turns("You").first().getByText("Show me code again").waitFor();
    await chat.usage.first().waitFor();
    assert.equal(await focused(), "textbox Message");
    await enterTranscript("Home");
    await goTo("Tab", "button Previous version");
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    assert.equal(await focused(), "button Previous version", "the focus stays where it was");
  });

  it("goes to a chat of before and comes back", async () => {
    const { chat, page, palette, quickInput } = partsOf(editor);
    await editor.workbench.beginChat();
    await page.keyboard.type("of the other chat");
    await page.keyboard.press("Enter");
    await chat.usage.first().waitFor();
    for (const title of ["Show me code", "of the other chat"]) {
      await palette.run("inference.showHistory");
      await quickInput.waitFor("Type to find");
      await quickInput.row(new RegExp(`^${title}`)).waitFor();
      // The first that fits is opened, however soon behind the last letter.
      await page.keyboard.type(title);
      await page.keyboard.press("Enter");
      await chat.turns("You").first().getByText(title).waitFor();
      await chat.frame.locator("textarea:focus").waitFor();
      assert.equal(await focused(), "textbox Message");
    }
  });

  it("reads out one of several chats at a time: the one that had the focus last", async () => {
    const { workbench, chat, palette } = partsOf(editor);
    const { chatEditor } = workbench;
    service.pace = 40;
    await workbench.beginChat();
    await chat.send("Talk of the tab");
    await chat
      .turns("Assistant")
      .first()
      .getByText(/sentence 1 /)
      .waitFor();
    await palette.run("inference.openChatInEditor");
    await chatEditor.find();
    // The editor is slow to make its first tab of this kind while another page draws.
    await chatEditor.composer.waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.send("Talk of the view");
    await nextSentence(chat, "view");
    await listen(chatEditor);
    await nextSentence(chat, "view");
    assert.deepEqual(await spokenBy(chatEditor), [], "it is silent, while it goes on");
    assert.equal(await chatEditor.button("Stop").count(), 1);

    await chatEditor.composer.focus();
    await nextSentence(chatEditor, "tab");
    await listen(chat);
    await nextSentence(chatEditor, "tab");
    assert.deepEqual(await spokenBy(chat), []);
    assert.equal(await chat.button("Stop").count(), 1);

    // What is left when the other is closed speaks again.
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.find();
    await nextSentence(chat, "view");
    service.pace = 0;
    await chat.button("Stop").click();
  });
});

/** Waits until a further sentence of this talk is said. */
async function nextSentence(chat: ChatView, name: string): Promise<void> {
  await listen(chat);
  await heard(chat, new RegExp(`of the ${name}`));
}
