import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { heard, listen } from "../support/workbench/spoken.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("failed-questions");
const keyVariable = "INFERENCE_FAILED_QUESTIONS_KEY";

describe("questions that got no answer, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  /** What each request said, a message a line. */
  const asked: string[] = [];

  before(async () => {
    service = await startReferenceService({
      bodyLimit: 20_000,
      onAsk: ({ messages }) => asked.push(messages.map(({ text }) => text.slice(0, 40).trim()).join(" | ")),
    });
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [
          { name: "Acme", baseUrl: service.origin, clientStyle: "messages", keyVariable },
        ],
      },
      environment: { [keyVariable]: key },
    });
    await editor.workbench.chat.open();
  });
  beforeEach(async () => {
    asked.length = 0;
    await editor.workbench.beginChat();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** What the next question would send, by the meter's estimate. */
  async function estimatedTokens(): Promise<number> {
    const text = await partsOf(editor).chat.meterText();
    return Number(/^About ([\d,]+) /.exec(text)?.[1]?.replaceAll(",", ""));
  }

  it("are not sent with later ones, which a note says, and are by its button, pressed by keys", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    await chat.send("The first");
    await chat.usage.first().waitFor();
    await chat.composer.fill("far too long ".repeat(2000));
    await page.keyboard.press("Enter");
    await chat.alert().waitFor();
    const question = chat.turns("You").nth(1);
    await question.getByText("Not sent with later questions, because its answer failed.").waitFor();
    await screenshot("question left out");
    assert.ok((await estimatedTokens()) < 1000, await chat.meterText());
    await chat.send("hello");
    await chat.usage.nth(1).waitFor();
    assert.match(asked.at(-1) ?? "", /^The first \| [^|]* \| hello$/);
    assert.deepEqual(
      service.journal.answers.map(({ cacheMarks }) => cacheMarks),
      // The second was too long to be read.
      [0, undefined, 1],
      "marks come from the second question on",
    );
    assert.match((await chat.usage.nth(1).textContent()) ?? "", /written to cache/);
    await listen(chat);
    await question.focus();
    await page.keyboard.press("Tab");
    const pressed = chat.frame.locator("button:focus");
    await pressed.and(chat.button("Include Question")).waitFor();
    const noteId = (await pressed.getAttribute("aria-describedby")) ?? "";
    assert.match((await chat.frame.locator(`[id="${noteId}"]`).textContent()) ?? "", /^Not sent/);
    await page.keyboard.press("Enter");
    await pressed.and(chat.button("Leave Out Question")).waitFor();
    await question.getByText("Sent with later questions, although its answer failed.").waitFor();
    await heard(chat, /Sent with later questions, although/);
    await screenshot("question included");
    assert.ok((await estimatedTokens()) > 5000, await chat.meterText());
    await chat.send("and now?");
    await chat.alert().nth(1).waitFor();
    assert.equal(asked.length, 2, "it is too long once more");
    await question.getByRole("button", { name: "Leave Out Question" }).click();
    await chat.send("hello again");
    await chat.usage.nth(2).waitFor();
    assert.match((await chat.usage.nth(2).textContent()) ?? "", /\d+ in \(\d+ from cache\), \d+ out/);
  });

  it("are kept as the person chose them, when the chat is opened again", async () => {
    const { chat, palette, quickInput } = partsOf(editor);
    service.failNext({ status: 400, body: { error: { message: "Not now." } } });
    await chat.send("A question to keep");
    await chat.button("Include Question").click();
    await chat.button("Leave Out Question").waitFor();
    await editor.workbench.beginChat();
    await palette.run("inference.showHistory");
    await quickInput.row("A question to keep").click();
    await chat.button("Leave Out Question").waitFor();
    await chat.send("Try again");
    await chat.usage.first().waitFor();
    assert.deepEqual(asked, ["A question to keep\n\nTry again"]);
  });

  it("offer a higher limit, and no Continue, where reasoning alone has come", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    service.failNext({
      status: 200,
      body: {
        type: "message",
        role: "assistant",
        content: [{ type: "thinking", thinking: "First I think of one thing, then of another." }],
        stop_reason: "max_tokens",
        usage: { input_tokens: 12, output_tokens: 4096 },
      },
    });
    await chat.send("A riddle");
    await chat.transcript.getByText(/cut at 4,096 tokens while the model was still reasoning/).waitFor();
    assert.equal(await chat.button("Continue").count(), 0);
    await screenshot("cut while reasoning");
    await chat.button("Change Token Limit").click();
    const setting = page.locator(".settings-editor").getByText("Max Tokens").first();
    await setting.waitFor();
    await screenshot("limit to raise");
  });
});
