import assert from "node:assert/strict";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

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

describe("following an answer while it arrives, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({
      answers: (message) => (message.includes("sample") ? createSampleAnswer(30_000) : undefined),
    });
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
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.ok((await chat.transcript.evaluate(fromEnd)) <= 1);
  });
});
