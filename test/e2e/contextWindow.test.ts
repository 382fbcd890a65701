import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const name = "Acme";

describe("the model's window where the models were never listed, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let key: string;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ contextWindow: 4000, onAsk: (each) => asks.push(each) });
    key = service.keys.add({}, fakeKey("window-1"));
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name, baseUrl: service.origin }],
        "inference.model": "service-core",
        "inference.maxTokens": 1000,
      },
    });
    await setKey(key);
    await editor.workbench.chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const lists = () => service.journal.entries.filter(({ method }) => method === "GET");

  async function setKey(value: string): Promise<void> {
    const { palette, quickInput, notifications } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer(`The API key of ${name}`, value);
    await notifications.message(`The key of ${name} is stored`);
    await notifications.clear();
  }

  async function ask(question: string): Promise<void> {
    const { chat } = partsOf(editor);
    const before = await chat.turns("Assistant").count();
    await chat.send(question);
    await chat.turns("Assistant").nth(before).getByRole("button", { name: "Retry" }).waitFor();
  }

  it("is asked for once, behind the first answer, and the meter has it from then on", async () => {
    const { chat, screenshot } = partsOf(editor);
    assert.match(await chat.meterText(), /The server will be asked after its first answer/);
    await screenshot("window not asked yet");
    assert.deepEqual(service.journal.entries, [], "nothing is sent before a question");
    await ask("Hello");
    await chat.frame.getByRole("meter", { name: "Context window" }).waitFor();
    assert.match(await chat.meterText(), /of the window's 4,000 tokens/);
    await ask("Hello again");
    await ask("And again");
    assert.deepEqual(
      service.journal.entries.map(({ method }) => method),
      ["POST", "GET", "POST", "POST"],
    );
    await screenshot("window known");
  });

  it("measures an attachment anew as soon as an answer's usage says how long the tokens are", async () => {
    const { chat, quickInput, screenshot, workbench } = partsOf(editor);
    const { length } = await readFile(path.join(editor.workspace, "summary.ts"), "utf8");
    const sizeBy = (charactersPerToken: number): string =>
      `Open summary.ts, about ${Math.ceil(length / charactersPerToken)} tokens`;
    const attached = (size: string) =>
      chat.attachment("summary.ts").getByRole("button", { name: size, exact: true });
    await workbench.beginChat();
    // Of this model nothing was counted yet.
    await chat.button("Model:").click();
    await quickInput.pick("service-mini");
    await chat.button("Model: service-mini").waitFor();
    // A token of the service has up to 16 characters and the blank behind.
    await chat.send(`${"intelligible ".repeat(60)} /long 400 /pace 500`);
    await chat.turns("Assistant").first().getByText("A long answer").waitFor();
    await chat.composer.fill("#summary");
    await chat.composer.press("End");
    await chat.offer(/^summary\.ts/).waitFor();
    await chat.composer.press("Enter");
    await attached(sizeBy(4)).waitFor();
    assert.equal(await chat.button("Stop").count(), 1, "it was attached before anything was counted");
    service.hurry();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    const sent = asks.at(-1)?.messages.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    const counted = service.journal.answers.at(-1)?.inputTokens ?? 0;
    assert.ok(sent / counted > 11, `${sent} characters were ${counted} tokens`);
    await attached(sizeBy(sent / counted)).waitFor();
    await screenshot("attachment measured anew");
  });

  it("leaves out of a long chat what does not fit, and says how much", async () => {
    const { chat, screenshot } = partsOf(editor);
    // With it goes what was attached.
    await ask(`one ${"incomprehensible ".repeat(900)}`);
    for (const word of ["two", "three", "four"]) await ask(`${word} ${"incomprehensible ".repeat(900)}`);
    const texts = asks.at(-1)?.messages.map(({ text }) => text) ?? [];
    assert.ok(texts[0]?.startsWith("intelligible"), "the first message is kept");
    assert.ok(
      !texts.some((text) => text.includes("summary.ts") || text.startsWith("two ")),
      texts.join("\n"),
    );
    assert.ok(texts.at(-1)?.startsWith("four "));
    await chat
      .turns("Assistant")
      .last()
      .getByText("Left out to fit the model's window: 4 earlier turns and 1 attachment, the oldest first.")
      .waitFor();
    await chat.composer.fill("and now?");
    assert.match(await chat.meterText(), /Left out to fit the model's window/);
    await screenshot("window left out");
    await chat.composer.fill("");
    assert.equal(lists().length, 1);
  });

  it("is not asked for with a key that was set while the answer arrived, before there was a question with it", async () => {
    const { chat, workbench } = partsOf(editor);
    await workbench.beginChat();
    await chat.send("Hello /long 2000 /pace 150");
    await chat.turns("Assistant").first().getByText("A long answer").waitFor();
    // The service refuses whatever comes with the old one.
    service.keys.revoke(key);
    key = service.keys.add({}, fakeKey("window-2"));
    await setKey(key);
    await chat.open();
    assert.equal(await chat.button("Stop").count(), 1, "it still arrives");
    service.hurry();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(lists().length, 1);
    await ask("By the new key");
    await service.journal.next(
      ({ method, sequence }) => method === "GET" && sequence > (lists()[0]?.sequence ?? 0),
      soon(),
    );
    await ask("And once more");
    assert.deepEqual(
      lists().map(({ refusal }) => refusal),
      [undefined, undefined],
    );
  });
});
