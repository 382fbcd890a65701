import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("early-31cd");

/** In each page from then on: what the host says waits until `letChatCome` is called. */
const holdHost = `(() => {
  if (!frameElement?.id.endsWith("-frame")) return;
  const waiting = [];
  let isHeld = true;
  const { addEventListener } = window;
  window.addEventListener = function (type, listener, ...options) {
    const held = type !== "message" ? listener : (event) => {
      if (isHeld) waiting.push({ event, hand: () => listener(event) });
      else listener(event);
    };
    addEventListener.call(window, type, held, ...options);
  };
  globalThis.isHeld = (type) => waiting.some(({ event }) => event.data.type === type);
  globalThis.letChatCome = () => {
    isHeld = false;
    for (const each of waiting.splice(0)) each.hand();
  };
})()`;

/** Where the box is, and whether it is the one that was marked. */
const boxInPage = inPage<{ readonly top: number; readonly height: number; readonly isMarked: boolean }>(
  `(box) => {
    const { top, height } = box.getBoundingClientRect();
    return { top, height, isMarked: box.isMarked === true };
  }`,
);

describe("typing before the chat is there, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: canary },
    });
    await editor.workbench.page.context().addInitScript(holdHost);
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
    await leave();
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** Shows the view, whose page hears nothing of the chat yet; gives the box that takes text until then. */
  async function openEarly() {
    const { chat, palette, page } = partsOf(editor);
    await palette.run("inference.openChat");
    await chat.find();
    const box = chat.frame.locator("textarea[data-early]:focus");
    await box.waitFor();
    await box.evaluate(inPage<void>("(box) => { box.isMarked = true; }"));
    return { chat, page, box };
  }

  /** Lets the chat come, once the page's code is there and has asked for it. */
  async function letChatCome(): Promise<void> {
    const { chat } = partsOf(editor);
    const body = chat.frame.locator("body");
    while (!(await body.evaluate(inPage<boolean>("() => globalThis.isHeld('snapshot')"))));
    await body.evaluate(inPage<void>("() => globalThis.letChatCome()"));
    await chat.composer.waitFor();
  }

  /** Leaves the view, and shows it again, where this is asked before its chat is there. */
  async function openAgain(question?: string): Promise<void> {
    await leave();
    const { page } = await openEarly();
    if (question !== undefined) {
      await page.keyboard.type(question);
      await page.keyboard.press("Enter");
    }
    await letChatCome();
  }

  async function leave(): Promise<void> {
    const { page } = editor.workbench;
    await page.keyboard.press("Control+Shift+E");
    await page.locator("iframe.webview").first().waitFor({ state: "detached" });
  }

  it("is done in the box that stays: focus, caret and place", async () => {
    const { chat, page, box } = await openEarly();
    await page.keyboard.type("typed early");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await partsOf(editor).screenshot("chat-early");
    const early = await box.evaluate(boxInPage);
    await letChatCome();
    assert.deepEqual(await chat.composer.evaluate(boxInPage), early);
    await page.keyboard.type("-");
    assert.equal(await chat.composer.inputValue(), "typed ear-ly");
    await partsOf(editor).screenshot("chat-early-come");
  });

  it("goes on from the draft, and is kept with it", async () => {
    const { chat, page } = await openEarly();
    await page.keyboard.type(", and more");
    await page.keyboard.press("ArrowLeft");
    await letChatCome();
    await page.keyboard.type("--");
    assert.equal(await chat.composer.inputValue(), "typed ear-ly, and mor--e");
    await openAgain();
    assert.equal(await chat.composer.inputValue(), "typed ear-ly, and mor--e");
  });

  it("sends nothing that could not be seen, and loses nothing of it", async () => {
    const { chat, page } = await openEarly();
    await page.keyboard.type("a question");
    await page.keyboard.press("Enter");
    await page.keyboard.type("and the next");
    await letChatCome();
    const all = "typed ear-ly, and mor--e\n\na question\n\nand the next";
    assert.equal(await chat.composer.inputValue(), all);
    await openAgain();
    assert.equal(await chat.composer.inputValue(), all);
    assert.equal(service.journal.answers.length, 0);
    await chat.composer.fill("");
  });

  it("searches for what is to be attached, and sends no half of its name", async () => {
    const { chat, page } = await openEarly();
    await page.keyboard.type("explain #summ");
    await page.keyboard.press("Enter");
    await letChatCome();
    await chat.offer(/summary\.ts/).waitFor();
    await page.keyboard.press("Enter");
    await chat.attachment("summary.ts").waitFor();
    assert.equal(await chat.composer.inputValue(), "explain ");
    assert.equal(service.journal.answers.length, 0);
    await openAgain("the attachment is not seen");
    assert.equal(await chat.composer.inputValue(), "explain \n\nthe attachment is not seen");
    assert.equal(service.journal.answers.length, 0);
    await chat.removeAttachment("summary.ts");
    await chat.composer.fill("");
  });

  it("does not end a word of an input method", async () => {
    const { chat, page } = await openEarly();
    const session = await page.context().newCDPSession(page);
    await session.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await letChatCome();
    await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    await session.send("Input.insertText", { text: "日本" });
    await session.detach();
    assert.equal(await chat.composer.inputValue(), "日本");
    await chat.composer.fill("");
  });

  it("sends by Enter what stood there then, and keeps what came behind it", async () => {
    const { chat, page } = await openEarly();
    await page.keyboard.type("a question");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("of two lines");
    await page.keyboard.press("Enter");
    await page.keyboard.type("the next");
    await page.keyboard.press("Enter");
    assert.equal(service.journal.answers.length, 0);
    await letChatCome();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.match(await chat.turns("You").first().innerText(), /^a question\nof two lines/);
    assert.equal(await chat.turns("You").count(), 1);
    assert.equal(await chat.composer.inputValue(), "the next");
  });

  it("leaves the focus where it has gone meanwhile", async () => {
    const { chat, page } = await openEarly();
    const { quickInput } = partsOf(editor);
    await page.keyboard.press("F1");
    await quickInput.root.getByPlaceholder("Type the name of a command to run.").waitFor();
    const body = chat.frame.locator("body");
    while (!(await body.evaluate(inPage<boolean>("() => globalThis.isHeld('focus-composer')"))));
    await letChatCome();
    // What the messages ask for is done with the frame they are drawn in.
    await body.evaluate(
      inPage<void>("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"),
    );
    await page.keyboard.type("readme");
    assert.equal((await quickInput.read()).value, ">readme");
    assert.equal(await chat.composer.inputValue(), "the next");
    await quickInput.cancel();
  });

  it("takes back what cannot be sent, ahead of what was typed since", async () => {
    const { chat, page } = partsOf(editor);
    await openEarly();
    await letChatCome();
    assert.equal(await chat.composer.inputValue(), "the next");
    await chat.send("Tell me more /long 20000 /pace 50");
    await chat.turns("Assistant").nth(1).getByText(/\w+/).first().waitFor();
    await leave();
    await openEarly();
    await page.keyboard.type("too soon");
    await page.keyboard.press("Enter");
    await page.keyboard.type("typed since");
    await letChatCome();
    await chat.frame.getByRole("note").waitFor();
    assert.equal(await chat.composer.inputValue(), "too soon\n\ntyped since");
    await openAgain();
    assert.equal(await chat.composer.inputValue(), "too soon\n\ntyped since");
    await chat.button("Stop").click();
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
  });
});
