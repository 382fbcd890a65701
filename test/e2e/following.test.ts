import assert from "node:assert/strict";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { drawnText, partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_FOLLOWING_KEY";

/** Counts how often the way back to the end was offered, which it is to whoever has left it. */
const watchEnd = inPage<void>(`(log) => {
  globalThis.timesLeft = 0;
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    globalThis.timesLeft += added.filter((node) => node.matches?.(".jump")).length;
  }).observe(log.parentElement, { childList: true });
}`);
const timesLeft = inPage<number>("() => globalThis.timesLeft");
const fromEnd = inPage<number>("(log) => log.scrollHeight - log.scrollTop - log.clientHeight");

/** Where something stands in the transcript, once that has been the same for some dozen frames. */
const steadyTop = inPage<Promise<number>>(`(element) => new Promise((resolve, reject) => {
  let frames = 0;
  let steady = 0;
  let before = NaN;
  const look = () => {
    const top = element.getBoundingClientRect().top - element.closest("[role=log]").getBoundingClientRect().top;
    steady = Math.abs(top - before) < 0.5 ? steady + 1 : 0;
    before = top;
    frames += 1;
    if (steady === 40) resolve(top);
    else if (frames === 900) reject(new Error("It still moves, and stands " + top + " px below the top."));
    else requestAnimationFrame(look);
  };
  look();
})`);

/** Which of all paragraphs stands at the top of the transcript. */
const firstInView = inPage<number>(`(log) => {
  const { top } = log.getBoundingClientRect();
  const all = [...log.querySelectorAll(".markdown p")];
  return all.findIndex((each) => each.getBoundingClientRect().bottom > top + 1);
}`);

const folded = `<details><summary>What is folded</summary>${"Word for word it goes on. ".repeat(200)}</details>`;
const smallFold = "<details><summary>What is folded</summary>It is little.</details>";
const paragraphs = Array.from({ length: 60 }, (_, index) => `Part ${index}. ${"It goes on. ".repeat(12)}`);
/** No piece of the service's has a whole number of them. */
const families = "👩\u200d👩\u200d👧".repeat(40);

function answerTo(message: string): string | undefined {
  if (message.includes("sample")) return createSampleAnswer(30_000);
  if (message.startsWith("fold")) return `The first words.\n\n${folded}\n`;
  if (message.startsWith("little")) return `${smallFold}\n\n${paragraphs.join("\n\n")}\n`;
  return message.startsWith("families") ? `\`\`\`text\n${families}\n\`\`\`\n` : undefined;
}

describe("following an answer while it arrives, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: answerTo });
    const key = fakeKey("following");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 100_000,
      },
      environment: { [keyVariable]: key },
    });
    await partsOf(editor).chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  for (const question of ["text /long 12000 /pace 3", "sample /pace 2"]) {
    it(`never leaves the end by itself: ${question}`, async () => {
      const { chat, workbench } = partsOf(editor);
      await workbench.beginChat();
      await chat.transcript.evaluate(watchEnd);
      await chat.send(question);
      await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
      assert.equal(await chat.transcript.evaluate(timesLeft), 0);
      assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
    });
  }

  it("stays where one has gone to, and follows again from the end", async () => {
    const { chat, workbench, page } = partsOf(editor);
    await workbench.beginChat();
    await chat.send("text /long 9000 /pace 4");
    await chat.turns("Assistant").first().getByText("Paragraph 9").first().waitFor();
    await chat.transcript.hover();
    await page.mouse.wheel(0, -200);
    await chat.button("Jump to latest").waitFor();
    await chat.turns("Assistant").first().getByText("Paragraph 20").first().waitFor();
    assert.ok((await chat.transcript.evaluate(fromEnd)) > 200);
    await chat.button("Jump to latest").click();
    await chat.button("Jump to latest").waitFor({ state: "detached" });
    await chat.frame.locator("textarea:focus").waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });

  it("is left by going up little by little while text flows", async () => {
    const { chat, workbench, page } = partsOf(editor);
    await workbench.beginChat();
    await chat.send("text /long 9000 /pace 4");
    await chat.turns("Assistant").first().getByText("Paragraph 9").first().waitFor();
    await chat.transcript.hover();
    for (let step = 0; step < 3; step += 1) await page.mouse.wheel(0, -8);
    await chat.button("Jump to latest").waitFor();
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
  });

  it("leaves what is pressed where it is when it opens at the end", async () => {
    const { chat, workbench } = partsOf(editor);
    await workbench.beginChat();
    for (const question of ["text /long 4000 /pace 0", "fold"]) {
      await chat.send(question);
      await chat.turns("Assistant").last().getByRole("button", { name: "Retry" }).waitFor();
    }
    const fold = chat.transcript.getByText("What is folded");
    await fold.waitFor();
    // Until it is drawn to its end another element may take its place.
    await drawnText(chat.turns("Assistant").last());
    const before = await fold.evaluate(steadyTop);
    await fold.click();
    await chat.button("Jump to latest").waitFor();
    const after = await fold.evaluate(steadyTop);
    assert.ok(Math.abs(after - before) <= 2, `${before} px, then ${after} px`);
  });

  it("goes on where all that a press has opened is in view", async () => {
    const { chat, workbench } = partsOf(editor);
    await workbench.beginChat();
    await chat.transcript.evaluate(watchEnd);
    await chat.send("little /pace 100");
    await chat.transcript.getByText("Part 0.").waitFor();
    await chat.transcript.getByText("What is folded").click();
    await chat.transcript.getByText("It is little.").waitFor();
    service.hurry();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await chat.transcript.getByText("Part 59.").waitFor();
    assert.equal(await chat.transcript.evaluate(timesLeft), 0);
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });

  it("stays at a turn whose versions one goes through, and goes to the end with a question", async () => {
    const { chat, workbench } = partsOf(editor);
    const answered = (index: number): Promise<void> =>
      chat.turns("Assistant").nth(index).getByRole("button", { name: "Retry" }).waitFor();
    await workbench.beginChat();
    for (const [index, word] of ["one", "two", "three"].entries()) {
      await chat.send(`${word} /long 3000 /pace 0`);
      await answered(index);
    }
    const question = chat.turns("You").nth(1);
    await question.hover();
    await question.getByRole("button", { name: "Edit" }).click();
    await question.getByRole("textbox").fill("two again /long 6000 /pace 0");
    await question.getByRole("textbox").press("Enter");
    await question.getByText("2 / 2").waitFor();
    await answered(1);
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1, "an edited question is one that was asked");
    for (const [name, version] of [
      ["Previous version", "1 / 2"],
      ["Next version", "2 / 2"],
    ] as const) {
      await question.getByRole("button", { name }).scrollIntoViewIfNeeded();
      const before = await question.evaluate(steadyTop);
      await question.getByRole("button", { name }).click();
      await question.getByText(version).waitFor();
      const after = await question.evaluate(steadyTop);
      assert.ok(Math.abs(after - before) <= 2, `${version}: ${before} px, then ${after} px`);
      await chat.button("Jump to latest").waitFor();
    }
    await chat.send("four /long 3000 /pace 0");
    await answered(2);
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });

  it("is where one read when the page comes back", async () => {
    const { chat, page } = partsOf(editor);
    await chat.transcript.hover();
    await page.mouse.wheel(0, -900);
    await chat.button("Jump to latest").waitFor();
    await chat.turns("Assistant").last().evaluate(steadyTop);
    const index = await chat.transcript.evaluate(firstInView);
    const paragraph = () => chat.transcript.locator(".markdown p").nth(index);
    const before = await paragraph().evaluate(steadyTop);
    await chat.composer.focus();
    await page.keyboard.press("Control+Shift+E");
    await page.locator("iframe.webview").first().waitFor({ state: "detached" });
    await chat.open();
    await chat.button("Jump to latest").waitFor();
    await chat.transcript.locator(".markdown[aria-busy]").first().waitFor({ state: "detached" });
    const after = await paragraph().evaluate(steadyTop);
    assert.ok(Math.abs(after - before) <= 2, `${before} px, then ${after} px`);
    assert.equal(await chat.frame.locator("article:focus").count(), 0, "nothing takes the focus");
    await chat.button("Jump to latest").click();
  });

  it("finds nothing invisible in emoji that arrive in pieces", async () => {
    const { chat, workbench } = partsOf(editor);
    await workbench.beginChat();
    await chat.send("families /pace 60");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await answer.locator("pre").filter({ hasText: families }).waitFor();
    assert.equal(await answer.locator(".invisible-character, .code-notice").count(), 0);
  });
});
