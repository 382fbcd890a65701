import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("talking-55aa");

/** Presses a button, and tells where the focus is behind that, before the page is painted. */
const nameFocusedByClick = inPage<string | null>(
  `async (button) => {
    button.click();
    await Promise.resolve();
    return document.activeElement.getAttribute("aria-label");
  }`,
);

/** Presses Stop, and what stands in its place as soon as it is gone. */
const pressStopTwice = inPage<Promise<void>>(`async (stop) => {
  const row = stop.parentElement;
  const send = () => row.querySelector('[aria-label="Send"]');
  stop.click();
  while (send() === null) await new Promise((resolve) => setTimeout(resolve));
  send().click();
}`);

/** Hands two texts back that could not be sent, which the page takes up in one frame. */
const giveTwoBack = inPage<void>(`() => {
  for (const text of ["the first", "the second"])
    dispatchEvent(new MessageEvent("message", { data: { type: "restore-draft", text } }));
}`);

/** Resolves when what was rendered has had its effects. */
const effectsDone = inPage<Promise<void>>(
  `() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))`,
);

describe("talking, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 400,
      },
      environment: { [keyVariable]: canary },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("can be typed in as soon as it is first opened", async () => {
    const { chat, palette, page } = partsOf(editor);
    await palette.run("inference.openChat");
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type("typed at once");
    assert.equal(await chat.composer.inputValue(), "typed at once");
  });

  it("has the focus in its composer when it is opened by its tab, and its draft", async () => {
    const { chat, page } = partsOf(editor);
    await page.keyboard.press("Control+Shift+E");
    await page.locator("iframe.webview").first().waitFor({ state: "detached" });
    await chat.tab.click();
    await chat.find();
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type(", and more");
    assert.match(await chat.composer.inputValue(), /typed at once/);
    assert.match(await chat.composer.inputValue(), /, and more/);
    await chat.composer.fill("");
  });

  it("sends nothing by the Enter that ends a word of an input method", async () => {
    const { chat, page } = partsOf(editor);
    await chat.open();
    service.journal.clear();
    const session = await page.context().newCDPSession(page);
    const enter = { key: "Enter", code: "Enter" };
    await chat.composer.focus();
    await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    assert.equal(await chat.composer.inputValue(), "にほん");
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter, windowsVirtualKeyCode: 13 });
    await session.send("Input.insertText", { text: "日本" });
    // Some systems tell of the key when the composition is over; its code still says whose it was.
    await session.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      ...enter,
      windowsVirtualKeyCode: 229,
    });
    assert.equal(await chat.composer.inputValue(), "日本");
    assert.equal(await chat.turns("You").count(), 0);
    assert.equal(service.journal.answers.length, 0);
    await page.keyboard.press("Enter");
    await chat.turns("You").first().getByText("日本").waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(service.journal.answers.length, 1);
    // The Escape that gives up a word gives up nothing else.
    const edit = chat.turns("You").first().getByRole("button", { name: "Edit" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("日本語");
    const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 229 };
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...escape });
    assert.equal(await edited.inputValue(), "日本語");
    await session.detach();
    await page.keyboard.press("Escape");
    await edited.waitFor({ state: "detached" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    assert.equal(await edited.inputValue(), "日本語", "what was typed comes back");
    await chat.turns("You").first().getByRole("button", { name: "Cancel" }).click();
    await edited.waitFor({ state: "detached" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    assert.equal(await edited.inputValue(), "日本", "what was cancelled does not");
    await page.keyboard.press("Escape");
    await edited.waitFor({ state: "detached" });
    await editor.workbench.beginChat();
  });

  it("stops the answer by the Escape that is pressed in a question's editor", async () => {
    const { chat, page } = partsOf(editor);
    await chat.open();
    await chat.send("about lighthouses");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("about lighthouses in winter");
    await chat.composer.fill("Hello /long 4000 /pace 50");
    await chat.composer.press("Enter");
    await chat.turns("Assistant").nth(1).getByText(/\w+/).first().waitFor();
    await edited.focus();
    await page.keyboard.press("Escape");
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    assert.equal(await edited.inputValue(), "about lighthouses in winter");
    await page.keyboard.press("Escape");
    await edited.waitFor({ state: "detached" });
    await editor.workbench.beginChat();
  });

  it("recalls earlier questions by Up, and goes back by Down", async () => {
    const { chat, page } = partsOf(editor);
    await chat.open();
    for (const [index, question] of ["the first question", "the second question"].entries()) {
      await chat.send(question);
      await chat.turns("Assistant").nth(index).getByRole("button", { name: "Retry" }).waitFor();
    }
    await chat.composer.focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await chat.composer.inputValue(), "the second question");
    await page.keyboard.press("ArrowUp");
    assert.equal(await chat.composer.inputValue(), "the first question");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await chat.composer.inputValue(), "");
    await page.keyboard.type("typed");
    await page.keyboard.press("ArrowUp");
    assert.equal(await chat.composer.inputValue(), "typed", "what is typed is never replaced");
    await chat.composer.fill("");
  });

  it("is one Tab stop, with arrows between the turns", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    const focusedName = () => chat.frame.locator(":focus").getAttribute("aria-label");
    await chat.composer.focus();
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focusedName(), "Conversation");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(), "Assistant");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(), "You");
    await screenshot("chat-turn-focus");
    await page.keyboard.press("Tab");
    assert.equal(await focusedName(), "Edit");
    await page.keyboard.press("Tab");
    assert.equal(await focusedName(), "Message", "Tab leaves the transcript behind the turn");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focusedName(), "You", "and comes back to the turn");
  });

  it("goes on with an answer that its limit has cut", async () => {
    const { chat, screenshot } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("Tell me more /long 20000 /pace 0");
    await chat.turns("Assistant").first().getByText("cut at its token limit").waitFor();
    await screenshot("chat-cut");
    service.journal.clear();
    await chat.button("Continue").click();
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.match((await chat.turns("You").nth(1).textContent()) ?? "", /Continue exactly where you stopped/);
    assert.equal(await chat.button("Continue").count(), 0, "only the last answer can be continued");
  });

  it("says on Enter that an answer still arrives, and keeps what was typed", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("Tell me more /long 20000 /pace 100");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await chat.composer.fill("and what then? /long 20000 /pace 100");
    await page.keyboard.press("Enter");
    const note = chat.frame.getByRole("note").getByText("An answer is still arriving.");
    await note.waitFor();
    await screenshot("chat-asked-too-early");
    assert.equal(await chat.composer.inputValue(), "and what then? /long 20000 /pace 100");
    assert.equal(await chat.turns("You").count(), 1);
    await chat.button("Stop").click();
    await note.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await chat.turns("You").nth(1).getByText("and what then?").waitFor();
    await chat.turns("Assistant").nth(1).getByText("Paragraph 2.").waitFor();
    assert.equal(await note.count(), 0, "it was over with the answer that was in the way");
    await chat.button("Stop").click();
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
  });

  it("says the same in a question's editor, for as long as it is so", async () => {
    const { chat } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("about lighthouses");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("about lighthouses in winter");
    await chat.composer.fill("Tell me more /long 20000 /pace 100");
    await chat.composer.press("Enter");
    await chat.turns("Assistant").nth(1).getByText("Paragraph 2.").waitFor();
    await edited.press("Enter");
    const note = chat.turns("You").first().getByRole("note").getByText("An answer is still arriving.");
    await note.waitFor();
    await chat.button("Stop").click();
    await note.waitFor({ state: "detached" });
    assert.equal(await edited.inputValue(), "about lighthouses in winter");
    assert.equal(await chat.turns("You").count(), 2);
  });

  it("sends nothing by a press that was meant for Stop", async () => {
    const { chat } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("Tell me more /long 20000 /pace 100");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await chat.composer.fill("half typed");
    await chat.button("Stop").evaluate(pressStopTwice);
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    assert.equal(await chat.composer.inputValue(), "half typed");
    assert.equal(await chat.turns("You").count(), 1);
    // A moment later it is meant.
    await chat.button("Send").click();
    await chat.turns("You").nth(1).getByText("half typed").waitFor();
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("gives each of two texts back that come at once", async () => {
    const { chat } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.frame.locator("body").evaluate(giveTwoBack);
    assert.equal(await chat.textGivenBack(), "the first\n\nthe second");
    await chat.composer.fill("");
  });

  it("streams several chats at once, each in its place and with its draft", async () => {
    const { workbench, chat, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await editor.workbench.beginChat();
    await chat.send("one /long 4000 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await workbench.openChatInTab();
    await chatEditor.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chatEditor.composer.fill("a draft of the first chat");
    await chat.send("two /long 1200 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    assert.equal(await chatEditor.button("Stop").count(), 1, "the first goes on");
    await screenshot("chats-side-by-side");
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    service.hurry();
    await chatEditor.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chatEditor.composer.inputValue(), "a draft of the first chat");
    assert.equal(await chat.composer.inputValue(), "");
    await workbench.page
      .getByRole("tab", { name: /one \/long 4000/ })
      .first()
      .waitFor();
  });

  it("says what answers cost, and asks before a chat passes its cap", async () => {
    const { workbench, chat, dialog, screenshot } = partsOf(editor);
    await workbench.updateSettings({
      "inference.chat.prices": { "service-core": { input: 1000, output: 1000, currency: "EUR" } },
      "inference.chat.tokenCap": 100,
    });
    await workbench.reload();
    // The tab of before comes back beside the view.
    await workbench.chatEditor.find();
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("a first question");
    await chat.usage.filter({ hasText: "€" }).first().waitFor();
    service.journal.clear();
    await chat.send("a second question /long 400 /pace 0");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    await chat.frame.getByText(/This chat: \d+ in, \d+ out · €/).waitFor();
    await chat.send("a third question");
    const { message, detail } = await dialog.read();
    assert.match(message, /This chat has used \d+ tokens; .* passes your cap of 100/);
    assert.match(detail, /inference\.chat\.tokenCap/);
    await screenshot("chat-cap");
    assert.equal(service.journal.answers.length, 1, "nothing is sent before the answer");
    await dialog.press("Cancel");
    // The text comes back by way of the host.
    await chat.frame.locator("textarea:not(:placeholder-shown)").waitFor();
    assert.equal(await chat.composer.inputValue(), "a third question");
    await chat.button("Send").click();
    await dialog.press("Send Anyway");
    await chat.turns("Assistant").nth(2).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("opens a question's editor again when its text was refused, and not once that is sent", async () => {
    const { chat, dialog } = partsOf(editor);
    const question = chat.turns("You").last();
    const edited = question.getByRole("textbox", { name: "Edit question" });
    await question.getByRole("button", { name: "Edit" }).click();
    await edited.fill("a third question, put better");
    await edited.press("Enter");
    await dialog.press("Cancel");
    // The text comes back by way of the host.
    await edited.waitFor();
    assert.equal(await edited.inputValue(), "a third question, put better");
    await edited.press("Enter");
    await dialog.press("Send Anyway");
    await question.getByText("2 / 2").waitFor();
    await chat.turns("Assistant").nth(2).getByRole("button", { name: "Retry" }).waitFor();
    await question.getByRole("button", { name: "Previous version" }).click();
    await question.getByText("a third question", { exact: true }).waitFor();
    await chat.frame.locator("body").evaluate(effectsDone);
    assert.equal(await edited.count(), 0);
    await chat.frame.locator('button[aria-label="Previous version"]:focus').waitFor();
  });
});
