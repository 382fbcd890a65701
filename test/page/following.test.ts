import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { drawnText } from "../support/workbench/parts.ts";
import { chatPages } from "../support/page/chatPages.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { inPage } from "../support/workbench/inPage.ts";

/**
 * Counts how often "Scroll to Bottom" appeared, because it appears when the page leaves the end. Also records the
 * largest distance in pixels from the end when the content changes its size. The page's own observer was created first,
 * so it also runs first.
 */
const watchEnd = inPage<void>(`(log) => {
  globalThis.watchedEnd = { timesLeft: 0, farthest: 0 };
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    globalThis.watchedEnd.timesLeft += added.filter((node) => node.matches?.(".jump")).length;
  }).observe(log.parentElement, { childList: true });
  new ResizeObserver(() => {
    const distance = log.scrollHeight - log.scrollTop - log.clientHeight;
    globalThis.watchedEnd.farthest = Math.max(globalThis.watchedEnd.farthest, distance);
  }).observe(log.firstElementChild);
}`);
const watchedEnd = inPage<{ readonly timesLeft: number; readonly farthest: number }>(
  "() => globalThis.watchedEnd",
);
const fromEnd = inPage<number>("(log) => log.scrollHeight - log.scrollTop - log.clientHeight");

/**
 * Resolves with the element's distance in pixels from the transcript's top, once it has been the same for 40 frames.
 */
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
    else if (frames === 900) reject(new Error("Still moving, " + top + " px below the top."));
    else requestAnimationFrame(look);
  };
  look();
})`);

/** Index of the paragraph at the top of the transcript. */
const firstInView = inPage<number>(`(log) => {
  const { top } = log.getBoundingClientRect();
  const all = [...log.querySelectorAll(".markdown p")];
  return all.findIndex((each) => each.getBoundingClientRect().bottom > top + 1);
}`);

/** Reloads the page after this call has returned. The call would fail if the page unloaded during it. */
const loadAgain = inPage<void>("() => void setTimeout(() => location.reload())");

const folded = `<details><summary>What is folded</summary>${"Word for word it goes on. ".repeat(200)}</details>`;
const smallFold = "<details><summary>What is folded</summary>It is little.</details>";
const paragraphs = Array.from({ length: 60 }, (_, index) => `Part ${index}. ${"It goes on. ".repeat(12)}`);
/** A sequence of emoji whose length is not divisible by the size of the service's chunks. */
const families = "👩\u200d👩\u200d👧".repeat(40);

function answerTo(message: string): string | undefined {
  if (message.includes("sample")) return createSampleAnswer(6000);
  if (message.startsWith("fold")) return `The first words.\n\n${folded}\n`;
  if (message.startsWith("little")) return `${smallFold}\n\n${paragraphs.join("\n\n")}\n`;
  return message.startsWith("families") ? `\`\`\`text\n${families}\n\`\`\`\n` : undefined;
}

const endOf = (answer: Locator): Promise<void> => answer.getByRole("button", { name: "Retry" }).waitFor();

async function ask(chat: ChatView, question: string): Promise<void> {
  const before = await chat.turns("Assistant").count();
  await chat.send(question);
  await endOf(chat.turns("Assistant").nth(before));
}

/** Asserts that the transcript has been at its end since `watchEnd`. */
async function assertAtEnd(chat: ChatView): Promise<void> {
  const { timesLeft, farthest } = await chat.transcript.evaluate(watchedEnd);
  assert.equal(timesLeft, 0);
  assert.ok(farthest <= 1, `${farthest} px from the end`);
  assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
}

describe("following an answer", () => {
  const { open } = chatPages();
  const openChat = () => open({ answers: answerTo });

  for (const question of ["text /long 4000 /pace 1", "sample /pace 1"]) {
    it(`never leaves the end while text streams: ${question}`, async () => {
      const { chat } = await openChat();
      await chat.transcript.evaluate(watchEnd);
      await ask(chat, question);
      await assertAtEnd(chat);
    });
  }

  it("stays where the user has scrolled, and follows again from the end", async () => {
    const { chat, page, service } = await openChat();
    await chat.send("text /long 9000 /pace 2");
    await chat.turns("Assistant").first().getByText("Paragraph 9").first().waitFor();
    await chat.transcript.hover();
    await page.mouse.wheel(0, -200);
    await chat.button("Scroll to Bottom").waitFor();
    await chat.turns("Assistant").first().getByText("Paragraph 20").first().waitFor();
    assert.ok((await chat.transcript.evaluate(fromEnd)) > 200);
    await chat.button("Scroll to Bottom").click();
    await chat.button("Scroll to Bottom").waitFor({ state: "detached" });
    await chat.frame.locator("textarea:focus").waitFor();
    service.hurry();
    await endOf(chat.turns("Assistant").first());
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });

  it("stops when the user scrolls up in small steps while text streams", async () => {
    const { chat, page } = await openChat();
    await chat.send("text /long 9000 /pace 2");
    await chat.turns("Assistant").first().getByText("Paragraph 9").first().waitFor();
    await chat.transcript.hover();
    for (let step = 0; step < 3; step += 1) await page.mouse.wheel(0, -8);
    await chat.button("Scroll to Bottom").waitFor();
  });

  it("keeps a pressed element in place when it opens at the end", async () => {
    const { chat } = await openChat();
    for (const question of ["text /long 4000 /pace 0", "fold"]) await ask(chat, question);
    const fold = chat.transcript.getByText("What is folded");
    await fold.waitFor();
    // Until the answer is drawn completely, a redraw may replace the element.
    await drawnText(chat.turns("Assistant").last());
    const before = await fold.evaluate(steadyTop);
    await fold.click();
    await chat.button("Scroll to Bottom").waitFor();
    const after = await fold.evaluate(steadyTop);
    assert.ok(Math.abs(after - before) <= 2, `${before} px, then ${after} px`);
  });

  it("continues if everything that a press has opened is in view", async () => {
    const { chat, service } = await openChat();
    await chat.transcript.evaluate(watchEnd);
    await chat.send("little /pace 100");
    await chat.transcript.getByText("Part 0.").waitFor();
    await chat.transcript.getByText("What is folded").click();
    await chat.transcript.getByText("It is little.").waitFor();
    service.hurry();
    await endOf(chat.turns("Assistant").first());
    await chat.transcript.getByText("Part 59.").waitFor();
    await assertAtEnd(chat);
  });

  it("keeps a turn in place while the user switches its versions, and goes to the end after a question", async () => {
    const { chat } = await openChat();
    for (const word of ["one", "two", "three"]) await ask(chat, `${word} /long 3000 /pace 0`);
    const question = chat.turns("You").nth(1);
    await question.hover();
    await question.getByRole("button", { name: "Edit" }).click();
    await question.getByRole("textbox").fill("two again /long 6000 /pace 0");
    await question.getByRole("textbox").press("Enter");
    await question.getByText("2 / 2").waitFor();
    await endOf(chat.turns("Assistant").nth(1));
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
      await chat.button("Scroll to Bottom").waitFor();
    }
    await ask(chat, "four /long 3000 /pace 0");
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });

  it("restores the reading place when the page is reopened", async () => {
    const { chat, host, page } = await openChat();
    for (const word of ["one", "two"]) await ask(chat, `${word} /long 3000 /pace 0`);
    await chat.transcript.hover();
    await page.mouse.wheel(0, -900);
    await chat.button("Scroll to Bottom").waitFor();
    await chat.turns("Assistant").last().evaluate(steadyTop);
    const index = await chat.transcript.evaluate(firstInView);
    const paragraph = () => chat.transcript.locator(".markdown p").nth(index);
    const before = await paragraph().evaluate(steadyTop);
    await chat.composer.focus();
    await page.keyboard.press("Control+Shift+E");
    const ready = host.next("ready");
    await chat.frame.locator("html").evaluate(loadAgain);
    await ready;
    await chat.button("Scroll to Bottom").waitFor();
    await chat.transcript.locator(".markdown[aria-busy]").first().waitFor({ state: "detached" });
    const after = await paragraph().evaluate(steadyTop);
    assert.ok(Math.abs(after - before) <= 2, `${before} px, then ${after} px`);
    assert.equal(await chat.frame.locator("article:focus").count(), 0, "nothing takes the focus");
  });

  it("marks nothing as invisible when emoji stream in pieces", async () => {
    const { chat } = await openChat();
    await ask(chat, "families /pace 60");
    const answer = chat.turns("Assistant").first();
    await answer.locator("pre").filter({ hasText: families }).waitFor();
    assert.equal(await answer.locator(".invisible-character, .code-notice").count(), 0);
  });
});
