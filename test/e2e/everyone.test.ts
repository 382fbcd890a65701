import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { type FocusedControl, focusedControl } from "../support/workbench/keyboardFocus.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { heard, listen } from "../support/workbench/spoken.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { type PlainServer, startPlainServer } from "../unit/client/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { everyoneAnswers } from "./everyoneAnswers.ts";
import { drawnText, partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_EVERYONE_KEY";
const themes: readonly ThemeKind[] = ["light", "high-contrast-light", "high-contrast-dark", "dark"];
const slowAnswer =
  "The first sentence is about 3.14 things. Is the second one a question? يعمل هذا؟ نعم.\n\nThe last one ends here.";
/** A link to a file, code that is too wide, and thoughts. */
const thoughtful =
  "See summary.ts:3 and [this](https://example.com/).\n\n```ts\nconst line = '" +
  "wide ".repeat(40) +
  "';\n```\n";

describe("for everyone: keyboard, screen reader, motion and direction, in a real editor", () => {
  let service: ReferenceService;
  let thinker: PlainServer;
  let editor: Editor;

  before(async () => {
    const muchCode = "Code:\n\n```text\nAs wide as the view is at first, and no wider.\n```\n\n".repeat(100);
    const answers = {
      ...everyoneAnswers,
      "Much code": muchCode,
      "Say it slowly /pace 60": slowAnswer,
      "Say it slowly": slowAnswer,
    };
    service = await startReferenceService({
      answers: (message) => new Map(Object.entries(answers)).get(message),
    });
    thinker = await startPlainServer();
    thinker.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ reasoning_content: "I think of a file." }));
      response.end(`${chunk({ content: thoughtful })}${chunk({}, "stop")}data: [DONE]\n\n`);
    };
    const key = fakeKey("everyone");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [
          { name: "Acme", baseUrl: service.origin, keyVariable },
          { name: "Thinker", baseUrl: thinker.origin, keyVariable },
        ],
      },
      environment: { [keyVariable]: key },
    });
    await use("Acme");
    await editor.workbench.setViewWidth(320);
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await thinker.close();
    await service.close();
  });

  async function use(connection: string): Promise<void> {
    const { chat, quickInput } = partsOf(editor);
    await chat.open();
    await chat.button("Connection:").click();
    await quickInput.pick(connection);
    await chat.button(`Connection: ${connection}`).waitFor();
  }

  function focused(): Promise<FocusedControl | undefined> {
    return focusedControl(editor.workbench.chat.frame, "--vscode-sideBar-background");
  }

  /** Presses the key until the focus has left the page or comes to `last`; gives the stops on the way. */
  async function walk(key: string, last?: string): Promise<readonly FocusedControl[]> {
    const stops: FocusedControl[] = [];
    for (let presses = 0; presses < 40; presses += 1) {
      await editor.workbench.page.keyboard.press(key);
      const stop = await focused();
      if (stop === undefined) return stops;
      stops.push(stop);
      if (stop.name === last) return stops;
    }
    throw new Error(`A trap: ${stops.map(({ name }) => name).join(", ")}`);
  }

  it("is left and entered by Tab alone, with one stop for the transcript and all of a turn within reach", async () => {
    const { chat, page } = partsOf(editor);
    await use("Thinker");
    await editor.workbench.beginChat();
    await page.keyboard.type("#summ");
    await chat
      .offer(/^summary\.ts/)
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await chat.attachment("summary.ts").waitFor();
    await page.keyboard.type("Think about it");
    await page.keyboard.press("Enter");
    await chat.usage.first().waitFor();
    await chat.frame.getByRole("link", { name: "summary.ts:3" }).waitFor();
    await page.keyboard.type("#readi");
    await chat
      .offer(/^readings\.csv/)
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await chat.attachment("readings.csv").waitFor();

    await chat.composer.focus();
    assert.deepEqual(namesOf(await walk("Tab")), [
      "button Attach Context",
      "button Connection: Thinker",
      "button Model: service-core",
      "button Client style: Chat Completions",
      "button Send",
    ]);
    await chat.composer.focus();
    assert.deepEqual(namesOf(await walk("Shift+Tab")), [
      "button Remove readings.csv",
      "button Open readings.csv, about 13 tokens",
      "log Conversation",
    ]);
    await chat.transcript.focus();
    await page.keyboard.press("ArrowUp");
    assert.equal((await focused())?.name, "article Assistant");
    assert.deepEqual(namesOf(await walk("Tab", "button Open readings.csv, about 13 tokens")), [
      "summary Reasoning",
      "link summary.ts:3",
      "link this",
      "button Copy Code",
      "group Code",
      "button Copy",
      "button Retry",
      "button Ask Again With...",
      "button Open readings.csv, about 13 tokens",
    ]);
    await page.keyboard.press("Shift+Tab");
    assert.equal((await focused())?.name, "article Assistant", "back where one was");
    await page.keyboard.press("ArrowUp");
    assert.equal((await focused())?.name, "article You");
    assert.deepEqual(namesOf(await walk("Tab", "button Edit")), [
      "button Open summary.ts, about 185 tokens",
      "button Edit",
    ]);
    await page.keyboard.press("Escape");
    assert.equal((await focused())?.name, "article You");
    await page.keyboard.press("Escape");
    assert.equal((await focused())?.name, "textbox Message");
  });

  it("opens the reasoning, goes between versions and edits a question by keyboard", async () => {
    const { chat, page } = partsOf(editor);
    const answer = chat.turns("Assistant").first();
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await answer.getByText("I think of a file.").waitFor();
    await walk("Tab", "button Retry");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    await answer.getByRole("link", { name: "summary.ts:3" }).waitFor();
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await walk("Tab", "button Previous version");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("1 / 2").waitFor();
    await walk("Tab", "button Next version");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await walk("Tab", "button Edit");
    await page.keyboard.press("Enter");
    await chat.frame.locator("[aria-label='Edit question']:focus").waitFor();
    await page.keyboard.press("Escape");
    assert.equal((await focused())?.name, "article You");
  });

  it("scrolls code that is too wide by the arrow keys", async () => {
    const { chat, page } = partsOf(editor);
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await walk("Tab", "group Code");
    await page.keyboard.press("ArrowRight");
    const code = chat.turns("Assistant").first().getByRole("group", { name: "Code" });
    while ((await code.evaluate(inPage<number>("(element) => element.scrollLeft"))) === 0) {
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
  });

  for (const theme of themes) {
    it(`shows where the focus is, in the theme ${theme}`, async () => {
      const { chat, page, workbench } = partsOf(editor);
      await workbench.setTheme(theme);
      await chat.open();
      await chat.composer.focus();
      const stops = [await focused(), ...(await walk("Tab"))];
      await chat.composer.focus();
      stops.push(...(await walk("Shift+Tab", "log Conversation")));
      await page.keyboard.press("End");
      stops.push(await focused(), ...(await walk("Tab", "button Remove readings.csv")));
      await chat.transcript.focus();
      await page.keyboard.press("Home");
      stops.push(await focused(), ...(await walk("Tab", "button Edit")));
      await workbench.screenshotView(`everyone focus ${theme}`);
      const faint = stops.filter((stop) => stop === undefined || stop.ring < 3);
      assert.deepEqual(faint, []);
      assert.ok(stops.length > 18, `${stops.length} stops`);
    });
  }

  it("reads an answer out by sentences, and says when it is done", async () => {
    const { chat } = partsOf(editor);
    await use("Acme");
    await editor.workbench.beginChat();
    await listen(chat);
    service.pace = 60;
    await chat.send("Say it slowly");
    await chat.usage.first().waitFor();
    service.pace = 0;
    const spoken = await heard(chat, /Answer complete/);
    assert.equal(spoken.join(" "), `${slowAnswer.replaceAll("\n\n", " ")} Answer complete`);
    for (const text of spoken) assert.match(text, /[.?؟]$|complete$/, text);
    assert.equal(await chat.transcript.getAttribute("aria-live"), "off");
    assert.equal(await chat.frame.locator("[aria-live=polite]").count(), 1, "one voice");
  });

  it("makes a stop of code that became too wide while it was out of sight", async () => {
    const { chat, page, workbench } = partsOf(editor);
    await workbench.setViewWidth(640);
    await workbench.beginChat();
    await chat.send("Much code");
    await chat.usage.first().waitFor();
    const first = chat.turns("Assistant").first().locator("pre").first();
    assert.equal(await first.getAttribute("tabindex"), null, "it is not too wide");
    await workbench.setViewWidth(320);
    await chat.transcript.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await chat.frame.locator(".markdown-section:first-child > :nth-child(2) pre[tabindex='0']").waitFor();
    await walk("Tab", "group Code");
    assert.equal(await first.evaluate(inPage<boolean>("(code) => code === document.activeElement")), true);
  });

  it("announces a failure by an alert, and what was stopped in words", async () => {
    const { chat, page } = partsOf(editor);
    await editor.workbench.beginChat();
    service.failNext({ status: 401 });
    await chat.send("Hello");
    await chat.alert().waitFor();
    const { title, hidden, live } = await chat.alert().evaluate(
      inPage<{ title: string; hidden: boolean; live: string }>(`(alert) => ({
        title: alert.querySelector("strong").textContent,
        hidden: alert.closest("[aria-hidden=true], [aria-busy=true]") !== null,
        live: alert.getAttribute("aria-live") ?? "",
      })`),
    );
    assert.ok(title !== "" && !hidden && live === "");
    await editor.workbench.beginChat();
    await listen(chat);
    await chat.send("Hello /long 4000 /pace 50");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await page.keyboard.press("Escape");
    await heard(chat, /Stopped\./);
    assert.equal((await focused())?.name, "textbox Message", "Escape stops, and the focus stays");
  });

  it("lets each block go the way of its letters, and code from left to right", async () => {
    const { chat } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("Both ways");
    await chat.usage.first().waitFor();
    const answer = chat.turns("Assistant").first();
    await drawnText(answer);
    const side = (text: string): Promise<string> =>
      answer.getByText(text).first().evaluate(inPage<string>(sideOfText));
    assert.equal(await side("مرحبا بالعالم"), "right");
    assert.equal(await side("Hello world"), "left");
    assert.equal(await side("שלום עולם"), "right");
    assert.equal(await side("اقرأ الرسالة"), "right");
    assert.equal(await side("First read it"), "left");
    assert.equal(await side("اقتباس"), "right");
    const columns = await answer
      .locator("th")
      .evaluateAll(inPage<number[]>("(cells) => cells.map((cell) => cell.offsetLeft)"));
    assert.ok((columns[0] ?? 0) > (columns[1] ?? 0), "the first column stands at the right");
    const [number] = await answer
      .locator("td")
      .nth(1)
      .evaluateAll(inPage<string[]>("(cells) => cells.map((cell) => getComputedStyle(cell).textAlign)"));
    assert.equal(number, "right", "a number stands where its column does");
    const directions = await answer
      .locator("pre, p code")
      .evaluateAll(inPage<string[]>("(codes) => codes.map((code) => getComputedStyle(code).direction)"));
    assert.deepEqual([...new Set(directions)], ["ltr"]);
    await chat.composer.fill("مرحبا");
    const direction = "(box) => getComputedStyle(box).direction";
    assert.equal(await chat.composer.evaluate(inPage<string>(direction)), "rtl");
    await chat.composer.fill("Hello");
    assert.equal(await chat.composer.evaluate(inPage<string>(direction)), "ltr");
    await chat.composer.fill("");
    // The editor has no language from right to left yet; the page is ready for one.
    await chat.frame.locator("html").evaluate(inPage<void>("(root) => { root.dir = 'rtl'; }"));
    await editor.workbench.screenshotView("everyone right to left");
    assert.equal((await layoutProblems(chat.frame)).join("\n"), "");
    await chat.frame.locator("html").evaluate(inPage<void>("(root) => { root.removeAttribute('dir'); }"));
  });

  const moves = `() => document.getAnimations().length > 0
    || [...document.querySelectorAll("*")].some((each) => getComputedStyle(each).scrollBehavior === "smooth"
    || parseFloat(getComputedStyle(each).transitionDuration) > 0)`;

  it("moves nothing where the system or the editor's setting asks for that", async () => {
    const { chat, page, workbench } = partsOf(editor);
    const isMoving = (): Promise<boolean> => chat.frame.locator("html").evaluate(inPage<boolean>(moves));
    const wait = async (): Promise<void> => {
      await editor.workbench.beginChat();
      await chat.send("Hello /pace 60000");
      await chat.frame.getByText("Waiting for the answer").waitFor();
    };
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await wait();
    assert.ok(await isMoving(), "something moves otherwise");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.ok(!(await isMoving()));
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await chat.button("Stop").click();
    await workbench.updateSettings({ "workbench.reduceMotion": "on" });
    await chat.open();
    await wait();
    await chat.frame.locator("body.vscode-reduce-motion").waitFor();
    assert.ok(!(await isMoving()));
    await chat.button("Stop").click();
    await page.emulateMedia({ reducedMotion: null });
  });
});

/** Runs in the page: the edge of its block that the first line of a text stands at. */
const sideOfText = `(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const [line] = range.getClientRects();
  const { left, right } = element.closest(".markdown").getBoundingClientRect();
  return line.left - left < right - line.right ? "left" : "right";
}`;

function namesOf(stops: readonly FocusedControl[]): readonly string[] {
  return stops.map(({ name }) => name);
}

/** One event of a stream of the style chat-completions. */
function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}
