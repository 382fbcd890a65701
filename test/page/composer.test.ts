import assert from "node:assert/strict";
import { chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { focusedName } from "../support/page/focusWalk.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { themeNames } from "../support/page/themes.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";

/** Presses a button and returns the label of the focused element before the next paint. */
const nameFocusedByClick = inPage<string | null>(
  `async (button) => {
    button.click();
    await Promise.resolve();
    return document.activeElement.getAttribute("aria-label");
  }`,
);

/** Presses Stop, and then Send as soon as Send has replaced Stop. */
const pressStopTwice = inPage<Promise<void>>(`async (stop) => {
  const row = stop.parentElement;
  const send = () => row.querySelector('[aria-label="Send"]');
  stop.click();
  while (send() === null) await new Promise((resolve) => setTimeout(resolve));
  send().click();
}`);

/** Posts two messages that return an unsent text to the page. The page handles both in one frame. */
const giveTwoBack = inPage<void>(`() => {
  for (const text of ["the first", "the second"])
    dispatchEvent(new MessageEvent("message", { data: { type: "restore-draft", text } }));
}`);

/** Adds a button after this one, with a label as for an effort. */
const addChoice = inPage<void>(`(button) => {
  const added = button.cloneNode(true);
  added.style.flex = "none";
  added.title = "Medium";
  added.ariaLabel = "Medium";
  added.querySelector(".choice-text").textContent = "Medium";
  button.after(added);
}`);

/** Resolves after the effects of the last render. */
const effectsDone = inPage<Promise<void>>(
  `() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`,
);

function written(...questions: readonly string[]): WrittenChat["transcript"] {
  const chat = new WrittenChat();
  for (const question of questions) chat.add(question, complete);
  return chat.transcript;
}

/** Asks for an answer that streams until it is stopped. `place` is the index of the answer in the chat. */
async function askSlowly({ chat }: OpenChatPage, place: number): Promise<void> {
  await chat.composer.fill("Tell me more /long 20000 /pace 30");
  await chat.composer.press("Enter");
  await chat.turns("Assistant").nth(place).getByText("Paragraph 1.").waitFor();
}

describe("the composer", () => {
  const { open } = chatPages();

  it("sends nothing on the Enter that ends an input method's composition", async () => {
    const { chat, page, service } = await open();
    const session = await page.context().newCDPSession(page);
    const enter = { key: "Enter", code: "Enter" };
    await chat.composer.focus();
    await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    assert.equal(await chat.composer.inputValue(), "にほん");
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter, windowsVirtualKeyCode: 13 });
    await session.send("Input.insertText", { text: "日本" });
    // Some systems report the Enter key after the composition has ended. Its key code 229 still marks it as part of the
    // composition.
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
  });

  it("recalls earlier questions with Up, and later ones with Down", async () => {
    const { chat, page } = await open({ transcript: written("the first question", "the second question") });
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
  });

  it("says on Enter that an answer is still streaming, and keeps the typed text", async () => {
    const opened = await open();
    const { chat, page, screenshot } = opened;
    await askSlowly(opened, 0);
    await chat.composer.fill("and what then? /long 20000 /pace 30");
    await page.keyboard.press("Enter");
    const note = chat.frame.getByRole("note").getByText("Wait for the current answer to finish.");
    await note.waitFor();
    await screenshot("chat-asked-too-early");
    assert.equal(await chat.composer.inputValue(), "and what then? /long 20000 /pace 30");
    assert.equal(await chat.turns("You").count(), 1);
    await chat.button("Stop").click();
    await note.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await chat.turns("You").nth(1).getByText("and what then?").waitFor();
    await chat.turns("Assistant").nth(1).getByText("Paragraph 1.").waitFor();
    assert.equal(await note.count(), 0, "it was over with the answer that was in the way");
    await chat.button("Stop").click();
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
  });

  it("sends nothing on a press that was meant for Stop", async () => {
    const opened = await open();
    const { chat } = opened;
    await askSlowly(opened, 0);
    await chat.composer.fill("half typed");
    await chat.button("Stop").evaluate(pressStopTwice);
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    assert.equal(await chat.composer.inputValue(), "half typed");
    assert.equal(await chat.turns("You").count(), 1);
    // A moment later, a press of Send is intended.
    await chat.button("Send").click();
    await chat.turns("You").nth(1).getByText("half typed").waitFor();
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("posts the whole draft, up to the last key, when the page loses the focus", async () => {
    const { chat, host, page } = await open();
    const long = "words of a long draft ".repeat(300);
    await chat.composer.fill(long);
    await chat.composer.press("End");
    await page.keyboard.type("and the last keys");
    const blurred = host.next("blurred");
    await page.getByRole("button", { name: "Before the page" }).focus();
    await blurred;
    assert.equal(host.all("draft").at(-1)?.text, `${long}and the last keys`);
  });

  it("returns both of two unsent texts that arrive at once", async () => {
    const { chat } = await open();
    await chat.frame.locator("body").evaluate(giveTwoBack);
    assert.equal(await chat.textGivenBack(), "the first\n\nthe second");
  });

  it("continues an answer that the token limit cut", async () => {
    const { transcript } = new WrittenChat().add("Tell me more", { kind: "complete", reason: "length" });
    const { chat, host, screenshot } = await open({ transcript });
    await chat.turns("Assistant").first().getByText("The answer reached its token limit.").waitFor();
    await screenshot("chat-cut");
    const asked = host.next("continue");
    await chat.button("Continue").click();
    await asked;
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.button("Continue").count(), 0, "only the last answer can be continued");
  });

  it("keeps a question for the new chat if it was asked while the page switched chats", async () => {
    const { chat, host, service } = await open({ transcript: written("of before") });
    const body = chat.frame.locator("body");
    await body.evaluate(holdFrames);
    host.newChat();
    await body.evaluate("untilLeft()");
    await chat.send("Asked in the chat of before");
    await body.evaluate("paintAgain()");
    await chat.turns("You").first().waitFor({ state: "detached" });
    assert.equal(await chat.textGivenBack(), "Asked in the chat of before");
    assert.equal(service.journal.answers.length, 0);
    await chat.button("Send").click();
    await chat.turns("You").getByText("Asked in the chat of before").waitFor();
    assert.equal(await chat.turns("You").count(), 1, "now in the new chat");
  });
});

describe("the rows below the text box", () => {
  const { open } = chatPages();
  const viewport = { width: 320, height: 800 };
  const long = { connection: "Client-with-a-long-name", model: "a-model-with-a-name-that-is-far-too-long" };
  const room = { maxTokens: 1000, charactersPerToken: 4 };

  for (const [what, options] of [
    ["names are short", {}],
    ["there is no connection", { header: { connection: null } }],
    ["names are long and the context window is unknown", { header: { ...long, room } }],
    [
      "names are long and the context window is full",
      { header: { ...long, room: { ...room, contextWindow: 2000 } } },
    ],
  ] as const) {
    it(`stay on one line each at 320 px, with room for one more button, when ${what}`, async () => {
      const { chat, screenshot } = await open({ ...options, viewport });
      await chat.composer.fill("a long question ".repeat(3000));
      await screenshot(`rows when ${what}`);
      assert.deepEqual(await rowProblems(chat.frame), []);
      await chat.button("Model:").evaluate(addChoice);
      assert.deepEqual(await rowProblems(chat.frame), []);
      assert.deepEqual(await layoutProblems(chat.frame), []);
    });
  }

  it("show a shortened name in full in its tooltip and to a screen reader", async () => {
    const { chat } = await open({ header: long, viewport });
    for (const name of [`Model: ${long.model}`, `Connection: ${long.connection}`])
      assert.equal(await chat.button(name).getAttribute("title"), name);
  });

  it("count tokens if the context window is unknown, and show a percentage if it is known", async () => {
    const { chat, host } = await open({ header: { room } });
    const meter = chat.frame.locator(".meter");
    await chat.composer.fill("word ".repeat(240));
    await meter.getByText(/^~\d+ tokens$/).waitFor();
    host.post({ type: "header", header: { ...host.header, room: { ...room, contextWindow: 3000 } } });
    await meter.getByText(/^\d+%$/).waitFor();
  });

  for (const theme of themeNames)
    it(`say in 320 px that the chat's connection no longer exists, with one way out, in ${theme}`, async () => {
      const header = { ...long, isGone: true } as const;
      const { chat, host, wear, screenshot } = await open({ header, viewport });
      await wear(theme);
      await chat.composer.fill("typed before");
      const note = chat.frame.getByRole("note");
      await note
        .getByText(
          `This chat used the connection '${long.connection}', which was removed or renamed. Select another to continue.`,
        )
        .waitFor();
      await screenshot(`connection-gone-320-${theme}`);
      assert.deepEqual(await rowProblems(chat.frame), []);
      assert.deepEqual(await layoutProblems(chat.frame), []);
      assert.equal(await chat.frame.locator(".meter").count(), 0);
      const choosing = host.next("choose");
      await note.getByRole("button", { name: "Select Connection..." }).press("Enter");
      assert.equal((await choosing).what, "connection");
      const { isGone: _, ...mended } = host.header;
      host.post({ type: "header", header: mended });
      host.post({ type: "focus-composer" });
      await note.waitFor({ state: "detached" });
      await chat.frame.locator("textarea:focus").waitFor();
      assert.equal(await chat.composer.inputValue(), "typed before");
    });

  it("show another connection and model as soon as the chat has it, and keep the text", async () => {
    const { chat, host } = await open({ header: {} });
    await chat.composer.fill("typed before");
    for (const [button, what] of [
      ["Model:", "model"],
      ["Connection:", "connection"],
      ["Client style:", "client-style"],
    ] as const) {
      const choosing = host.next("choose");
      await chat.button(button).press("Enter");
      assert.equal((await choosing).what, what);
    }
    const other = { connection: "Client B", model: "vendor/model", clientStyle: "messages" } as const;
    host.post({ type: "header", header: { ...host.header, ...other } });
    await chat.button("Model: vendor/model").waitFor();
    await chat.button("Connection: Client B").waitFor();
    await chat.button("Client style: Messages").waitFor();
    assert.equal(await chat.composer.inputValue(), "typed before");
  });

  it("show no meter without a connection", async () => {
    const { chat } = await open({ header: { connection: null } });
    await chat.button("Connection: none").waitFor();
    assert.equal(await chat.frame.locator(".meter").count(), 0);
  });
});

describe("the editor of a question", () => {
  const { open } = chatPages();

  it("keeps the text on Escape and discards it on Cancel", async () => {
    const { chat, page } = await open({ transcript: written("日本") });
    const edit = chat.turns("You").first().getByRole("button", { name: "Edit" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("日本語");
    // The Escape that cancels a composition has no other effect.
    const session = await page.context().newCDPSession(page);
    const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 229 };
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...escape });
    assert.equal(await edited.inputValue(), "日本語");
    await page.keyboard.press("Escape");
    await edited.waitFor({ state: "detached" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    assert.equal(await edited.inputValue(), "日本語", "what was typed comes back");
    await chat.turns("You").first().getByRole("button", { name: "Cancel" }).click();
    await edited.waitFor({ state: "detached" });
    assert.equal(await edit.evaluate(nameFocusedByClick), "Edit question");
    assert.equal(await edited.inputValue(), "日本", "what was cancelled does not");
  });

  it("opens when its unsent text is returned, but not again after the text was sent", async () => {
    const { chat, host } = await open({ transcript: written("the first question") });
    const question = chat.turns("You").first();
    const edited = question.getByRole("textbox", { name: "Edit question" });
    const turnId = (await question.getAttribute("data-turn")) ?? "";
    host.post({ type: "restore-edit", turnId, text: "the first question, put better" });
    await edited.waitFor();
    assert.equal(await edited.inputValue(), "the first question, put better");
    await edited.press("Enter");
    await question.getByText("2 / 2").waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await question.getByRole("button", { name: "Previous version" }).click();
    await question.getByText("the first question", { exact: true }).waitFor();
    await chat.frame.locator("body").evaluate(effectsDone);
    assert.equal(await edited.count(), 0);
    await chat.frame.locator('button[aria-label="Previous version"]:focus').waitFor();
  });

  it("stops a streaming answer on Escape", async () => {
    const opened = await open({ transcript: written("about lighthouses") });
    const { chat, page } = opened;
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("about lighthouses in winter");
    await askSlowly(opened, 1);
    await edited.focus();
    await page.keyboard.press("Escape");
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    assert.equal(await edited.inputValue(), "about lighthouses in winter");
    await page.keyboard.press("Escape");
    await edited.waitFor({ state: "detached" });
  });

  it("says on Enter that an answer is still streaming, until it ends", async () => {
    const opened = await open({ transcript: written("about lighthouses") });
    const { chat } = opened;
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.fill("about lighthouses in winter");
    await askSlowly(opened, 1);
    await edited.press("Enter");
    const note = chat
      .turns("You")
      .first()
      .getByRole("note")
      .getByText("Wait for the current answer to finish.");
    await note.waitFor();
    await chat.button("Stop").click();
    await note.waitFor({ state: "detached" });
    assert.equal(await edited.inputValue(), "about lighthouses in winter");
    assert.equal(await chat.turns("You").count(), 2);
  });
});

describe("the turns of a chat", () => {
  const { open } = chatPages();

  it("are one Tab stop, with arrow keys between them", async () => {
    const opened = await open({ transcript: written("the first question", "the second question") });
    const { page, screenshot } = opened;
    const press = async (key: string): Promise<string | undefined> => {
      await page.keyboard.press(key);
      return focusedName(opened);
    };
    assert.equal(await press("Shift+Tab"), "log Conversation");
    assert.equal(await press("ArrowUp"), "article Assistant");
    assert.equal(await press("ArrowUp"), "article You");
    await screenshot("chat-turn-focus");
    assert.equal(await press("Tab"), "button Edit");
    assert.equal(await press("Tab"), "textbox Message", "Tab leaves the transcript behind the turn");
    assert.equal(await press("Shift+Tab"), "article You", "and comes back to the turn");
  });
});

/** Delays the page's frames until `paintAgain`, so that the previous chat stays on the screen. */
const holdFrames = `(() => {
  const frames = [];
  const paint = requestAnimationFrame;
  window.requestAnimationFrame = (callback) => frames.push(callback);
  const left = new Promise((resolve) =>
    addEventListener("message", ({ data }) => data.type === "snapshot" && resolve()));
  window.untilLeft = () => left;
  window.paintAgain = () => {
    window.requestAnimationFrame = paint;
    for (const callback of frames) paint(callback);
  };
})()`;
