import assert from "node:assert/strict";
import path from "node:path";
import { picture } from "../../src/connection/compatibility/probes.ts";
import type { Ask } from "../service/generation.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { pageAttachment, sampleOffers } from "../support/page/sampleOffers.ts";
import { sampleWorkspace } from "../support/paths.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { dragFilesOfSystem, dropOn, fillClipboard, pasteInto } from "../support/workbench/transfers.ts";

const note = Buffer.from("a note\n").toString("base64");

/** Drops a file on the composer and presses Enter before the file can be read. */
const dropAndAsk = inPage<void>(`(box, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.txt", { type: "text/plain" }));
  const options = { bubbles: true, cancelable: true };
  box.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: carried }));
  box.dispatchEvent(new KeyboardEvent("keydown", { ...options, key: "Enter" }));
}`);

/** Takes an offer with Enter, and sends with a second Enter after the page has rendered. */
const takeAndAsk = inPage<Promise<void>>(`async (box) => {
  const press = () =>
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  press();
  await new Promise((resolve) => setTimeout(resolve));
  press();
}`);

describe("files dropped on the page or pasted", () => {
  const { open } = chatPages();

  it("are requested by URI if they come from VS Code", async () => {
    const { chat, host } = await open();
    const uri = "vscode-remote://host.example/workspace/convert.py";
    const asked = host.nextRequest("attach-uris");
    await dropOn(chat.composer, { texts: { "text/uri-list": uri } });
    assert.deepEqual((await asked).uris, [uri]);
  });

  it("are posted with their content if they come from the system", async () => {
    const { chat, host } = await open();
    const file = { name: "elsewhere.txt", type: "text/plain", data: note };
    const asked = host.nextRequest("attach-data");
    await dropOn(chat.composer, { files: [file] });
    assert.deepEqual(await asked, {
      type: "attach-data",
      name: file.name,
      mediaType: file.type,
      data: file.data,
    });
    await chat.attachment("elsewhere.txt").waitFor();
    await pasteInto(chat.composer, {
      files: [{ name: "image.png", type: picture.mediaType, data: picture.data }],
    });
    await chat.attachment("image.png").waitFor();
    assert.equal(host.allRequests("attach-data").at(-1)?.data, picture.data, "not a byte is another one");
  });

  it("are attached after a real drag from the system", async () => {
    const { chat, page } = await open();
    const file = path.join(sampleWorkspace, "readings.csv");
    await dragFilesOfSystem([file], { page, element: chat.composer });
    await chat.attachment("readings.csv").waitFor();
  });

  it("are attached after a real paste of an image", async () => {
    const { chat, host, page } = await open();
    await fillClipboard(page, { [picture.mediaType]: picture.data });
    await chat.composer.click();
    const asked = host.nextRequest("attach-data");
    await page.keyboard.press("Control+V");
    const { name, mediaType, data } = await asked;
    assert.deepEqual([name, mediaType], ["image.png", "image/png"]);
    const image = Buffer.from(data, "base64");
    // The browser re-encodes a copied image.
    assert.equal(image.toString("latin1", 1, 4), "PNG");
    assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [64, 64]);
    await chat.attachment("image.png").waitFor();
  });

  it("are refused beyond the limit of 50 per question", async () => {
    const { chat, host } = await open();
    const files = Array.from({ length: 52 }, (_, at) => ({
      name: `note ${at}.txt`,
      type: "text/plain",
      data: note,
    }));
    const refused = host.nextRequest("refuse-rest");
    await dropOn(chat.composer, { files });
    await chat.attachment("note 49.txt").waitFor();
    assert.equal((await refused).count, 2);
    assert.equal(await chat.attachments.getByRole("listitem").count(), 50);
    assert.equal(host.allRequests("attach-data").length, 50);
  });

  it("are sent with the question if Enter is pressed before they are read", async () => {
    const asks: Ask[] = [];
    const { chat } = await open({ ...sampleOffers, onAsk: (ask) => asks.push(ask) });
    const askedNext = async (press: () => Promise<void>): Promise<string> => {
      const answers = await chat.turns("Assistant").count();
      await press();
      await chat.turns("Assistant").nth(answers).getByRole("button", { name: "Retry" }).waitFor();
      return asks.at(-1)?.messages.at(-1)?.text ?? "";
    };
    await chat.composer.fill("What is in it?");
    const long = "A note that takes a while to read. ".repeat(200);
    const first = await askedNext(() => chat.composer.evaluate(dropAndAsk, long));
    assert.ok(first.includes(long.slice(0, 500)) && first.endsWith("What is in it?"), first.slice(-200));
    assert.equal(await chat.composer.inputValue(), "");
    await chat.composer.fill("And in #readings");
    await chat.composer.press("End");
    await chat.offer(/^readings\.csv/).waitFor();
    const second = await askedNext(() => chat.composer.evaluate(takeAndAsk));
    assert.ok(second.includes('name="readings.csv"') && second.includes("And in"), second.slice(-200));
    assert.equal(await chat.attachments.count(), 0);
  });
});

describe("a long pasted text", () => {
  const { open } = chatPages();
  const text = "a long text of the clipboard ".repeat(200);

  it("is attached if the user selects that", async () => {
    const { chat, host, page, screenshot } = await open();
    await fillClipboard(page, { "text/plain": text });
    await chat.composer.click();
    await page.keyboard.press("Control+V");
    await chat.frame.getByText("You pasted a long text.").waitFor();
    await screenshot("context pasted");
    assert.equal(await chat.composer.inputValue(), text);
    const asked = host.nextRequest("attach-text");
    await chat.button("Attach Instead").click();
    assert.equal((await asked).text, text);
    await chat.attachment("Pasted text").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
  });

  it("returns to the composer if the question already has as many attachments as allowed", async () => {
    const attachments = Array.from({ length: 50 }, (_, at) => ({
      id: `note ${at}`,
      kind: "file" as const,
      name: `note ${at}.txt`,
      detail: "",
      characters: 1,
      content: { type: "text" as const, text: "x", language: "" },
    }));
    const { chat, screenshot } = await open({ attachments });
    await pasteInto(chat.composer, { texts: { "text/plain": text } });
    await chat.composer.fill(text);
    await chat.button("Attach Instead").click();
    // The host returns the text.
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.textGivenBack(), text);
    await screenshot("pasted text given back");
  });
});

describe("a pasted URL", () => {
  const { open } = chatPages();
  const url = "https://docs.example/tides?day=1";

  it("stays in the text, and its page is attached if the user selects that by keyboard", async () => {
    const { chat, host, page, screenshot } = await open({
      viewport: { width: 320, height: 800 },
      attached: () => [pageAttachment],
    });
    await fillClipboard(page, { "text/plain": url });
    await chat.composer.click();
    await page.keyboard.type("Explain ");
    await page.keyboard.press("Control+V");
    await chat.frame.getByText("You pasted a URL.").waitFor();
    assert.equal(await chat.composer.inputValue(), `Explain ${url}`);
    await screenshot("web page pasted at 320");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    const asked = host.nextRequest("attach");
    await page.keyboard.press("Enter");
    assert.equal((await asked).offerId, `url:${url}`);
    await chat.attachment(pageAttachment.name).getByText("trimmed").waitFor();
    await chat.frame.getByText("You pasted a URL.").waitFor({ state: "detached" });
    await screenshot("web page attached at 320");
    await chat.frame.locator("textarea:focus").waitFor();
    assert.equal(await chat.composer.inputValue(), `Explain ${url}`);
  });

  it("offers no page within a longer text, and goes without it if the user keeps the text", async () => {
    const { chat, host } = await open();
    await pasteInto(chat.composer, { texts: { "text/plain": `see ${url}` } });
    await chat.composer.fill(`see ${url}`);
    await chat.button("Send").waitFor();
    assert.equal(await chat.button("Attach Page").count(), 0);
    await pasteInto(chat.composer, { texts: { "text/plain": url } });
    await chat.button("Attach Page").waitFor();
    await chat.button("Keep as Text").click();
    await chat.button("Attach Page").waitFor({ state: "detached" });
    assert.equal(await chat.composer.inputValue(), `see ${url}`);
    assert.equal(host.allRequests("attach").length, 0);
  });
});
