import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { noQuirks } from "../service/quirks.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { heard, listen } from "../support/workbench/spoken.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { drawnText, partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("endings");
const keyVariable = "INFERENCE_ENDINGS_KEY";
/** What is escaped in it means something else where it is not. */
const address = "https://site.example/wiki/C%23?q=a%26b&next=https%3A%2F%2Fa.example%2Fc%3Fd";

/** What the service answers, where its own words would not do. */
function answerTo(message: string): string | undefined {
  if (message.startsWith("code")) return `\`\`\`js\n${"let a = 1;\n".repeat(2000)}\`\`\`\n`;
  if (message.startsWith("link")) return `Read [the page](${address}).\n`;
  if (message.startsWith("two links")) return `[One](${address}) or [the other](https://other.example/).\n`;
  if (message.startsWith("file")) return "It stands in `made-later.ts:1`.\n";
  return message.startsWith("speak") ? "This is heard.\n" : undefined;
}

describe("how answers end, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: answerTo });
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
    await editor.workbench.chat.open();
  });
  beforeEach(async () => {
    service.quirks = noQuirks;
    await editor.workbench.beginChat();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("keeps what had arrived when the network cut it, says so, and asks again by Retry", async () => {
    const { chat, screenshot } = partsOf(editor);
    await chat.send("Tell me more /long 300 /pace 5 /cut");
    const alert = chat.alert("interrupted");
    await alert.waitFor();
    await screenshot("answer-cut-by-network");
    assert.match(await drawnText(chat.turns("Assistant").first()), /A long answer to: Tell me more/);
    await alert.getByRole("button", { name: "Retry" }).click();
    await chat.frame.getByText("2 / 2").waitFor();
    // The button has gone away with its failure.
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("tells by an alert of what fails, and not of what has failed before", async () => {
    const { chat, page } = partsOf(editor);
    await chat.send("Tell me more /long 300 /pace 5 /cut");
    await chat.alert("interrupted").waitFor();
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await chat.open();
    const failure = chat.failure("interrupted");
    await failure.waitFor();
    assert.equal(await chat.alert().count(), 0);
    assert.equal(await failure.getAttribute("role"), "group");
    assert.equal(await failure.getAttribute("aria-label"), await failure.locator("strong").textContent());
    await failure.getByRole("button", { name: "Retry" }).click();
    await chat.alert("interrupted").waitFor();
  });

  it("offers no Retry of an earlier failure while another answer arrives", async () => {
    const { chat } = partsOf(editor);
    await chat.send("Tell me more /long 300 /pace 5 /cut");
    const retry = chat.alert("interrupted").getByRole("button", { name: "Retry" });
    await retry.waitFor();
    await chat.send("another /long 20000 /pace 50");
    await chat.button("Stop").waitFor();
    assert.equal(await retry.getAttribute("aria-disabled"), "true");
    await chat.button("Stop").click();
    await chat.button("Send").waitFor();
    assert.equal(await retry.getAttribute("aria-disabled"), "false");
  });

  it("keeps what a content filter left of an answer, and says that it was one", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    const styles = [
      ["messages", "Messages"],
      ["chat-completions", "Chat Completions"],
    ] as const;
    const before = await chat.turns("Assistant").count();
    for (const [index, [style, name]] of styles.entries()) {
      await chat.button("Client style:").click();
      await quickInput.pick(style);
      await chat.button(`Client style: ${name}`).waitFor();
      await chat.send("Tell me more /long 300 /filter");
      const answer = chat.turns("Assistant").nth(before + index);
      const alert = chat.alert("content-filtered").and(answer.getByRole("alert"));
      await alert.getByText("A content filter of the service").waitFor();
      assert.match(await drawnText(answer), /A long answer to: Tell me more/);
      await screenshot(`answer-filtered-${style}`);
    }
  });

  it("says that tokens were not reported, of an answer and of the chat", async () => {
    const { chat, screenshot } = partsOf(editor);
    service.quirks = { ...noQuirks, ignore: ["usage"] };
    await chat.send("the first");
    await chat.usage.getByText("Tokens: not reported").waitFor();
    await chat.send("the second");
    await chat.frame.getByText("This chat: not reported").waitFor();
    await screenshot("usage-not-reported");
    service.quirks = noQuirks;
    await chat.send("the third");
    await chat.frame.getByText(/This chat: \d+ in, \d+ out · 2 answers not reported/).waitFor();
  });

  it("leaves for another site only by the editor's own question", async () => {
    const { chat, dialog, page, screenshot } = partsOf(editor);
    const asked: string[] = [];
    page.context().on("request", (request) => asked.push(request.url()));
    await chat.send("link");
    const link = chat.turns("Assistant").getByRole("link", { name: "the page" });
    await link.click();
    const { message, detail } = await dialog.read();
    assert.match(message, /open the external website/);
    assert.ok(`${message}\n${detail}`.includes(address), detail);
    await screenshot("link-confirmation");
    await dialog.press("Cancel");
    await link.click();
    await dialog.read();
    assert.ok(!asked.includes(address), "nothing is opened before the answer");
    // The browser under test lets nothing out of this machine.
    const left = page.context().waitForEvent("request", (request) => request.url() === address);
    await dialog.press("Open");
    await left;
  });

  it("opens a link by the middle button, and none by the right one", async () => {
    const { chat, dialog } = partsOf(editor);
    await chat.send("two links");
    const links = chat.turns("Assistant").getByRole("link");
    await links.nth(1).waitFor();
    // What would be asked about it first is not what is asked about.
    await links.first().dispatchEvent("auxclick", { button: 2 });
    await links.nth(1).dispatchEvent("auxclick", { button: 1 });
    const { message, detail } = await dialog.read();
    assert.ok(`${message}\n${detail}`.includes("https://other.example/"), detail);
    await dialog.press("Cancel");
  });

  it("makes a link of a file that was made since, with the next question", async () => {
    const { chat } = partsOf(editor);
    await chat.send("file");
    const answer = chat.turns("Assistant").first();
    await answer.locator("[data-file]").waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await writeFile(path.join(editor.workspace, "made-later.ts"), "export const made = 1;\n");
    await chat.send("speak");
    await answer.getByRole("link", { name: "made-later.ts:1" }).waitFor();
  });

  it("is read out in a new chat after one that was left in the midst of code", async () => {
    const { chat } = partsOf(editor);
    await chat.send("code /pace 20");
    await chat.turns("Assistant").getByText("let a = 1;").first().waitFor();
    await editor.workbench.beginChat();
    await listen(chat);
    await chat.send("speak");
    await heard(chat, /This is heard\./);
  });
});
