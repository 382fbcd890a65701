import assert from "node:assert/strict";
import type { ContextOffer } from "../../src/chat/page/protocol.ts";
import { promptNames } from "../../src/chat/prompts/promptTemplates.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { pageAttachment, sampleOffers } from "../support/page/sampleOffers.ts";
import { inPage } from "../support/workbench/inPage.ts";

const summary: ContextOffer = { id: "file:summary.ts", label: "summary.ts", description: "" };
const restrictedNote = "Restricted Mode: this workspace's prompts and instructions are ignored.";

/** Types faster than a user: presses Enter and types a word in one frame. Returns the text after a second word. */
const chooseAndType = inPage<Promise<string>>(`async (box) => {
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  document.execCommand("insertText", false, "at ");
  await new Promise(requestAnimationFrame);
  document.execCommand("insertText", false, "once");
  return box.value;
}`);

describe("the list that # opens", () => {
  const { open } = chatPages();

  it("attaches a file by keyboard and keeps the rest of the text", async () => {
    const { chat, page, screenshot } = await open(sampleOffers);
    await page.keyboard.type("What is in #");
    await chat.offer(/^Selection/).waitFor();
    await screenshot("context offers");
    await page.keyboard.type("readi");
    await chat.offer(/^Selection/).waitFor({ state: "detached" });
    await chat.offer(/^readings\.csv/).waitFor();
    await screenshot("context offers filtered");
    await page.keyboard.press("Enter");
    await chat.attachment("readings.csv").waitFor();
    assert.equal(await chat.composer.inputValue(), "What is in ");
    assert.equal(await chat.offer(/./).count(), 0);
    await page.keyboard.type("#conv");
    await chat.offer(/^convert\.py/).waitFor();
    await page.keyboard.press("Escape");
    await chat.offer(/./).first().waitFor({ state: "detached" });
    assert.equal(await chat.composer.inputValue(), "What is in #conv");
  });

  it("takes the first file if Enter was pressed before the files are listed", async () => {
    const { chat, host } = await open({ ...sampleOffers, offers: () => undefined });
    const asked = host.nextRequest("find");
    await chat.composer.fill("#summary.t");
    await chat.composer.press("Enter");
    const { searchId, typed } = await asked;
    assert.equal(typed, "summary.t");
    host.post({ type: "context-offers", searchId, offers: [summary] });
    await chat.attachment("summary.ts").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
    assert.equal(host.all("send").length, 0);
  });

  it("attaches the page at a typed URL by keyboard, and keeps the URL in the text", async () => {
    const { chat, host, page, screenshot } = await open({
      viewport: { width: 320, height: 800 },
      offers: (_kind, typed) => [{ id: `url:${typed}`, label: `Attach ${typed}`, description: "Web page" }],
      attached: () => [pageAttachment],
    });
    const url = "https://docs.example/tides?day=1#noon";
    await page.keyboard.type(`What does #${url}`);
    await chat.offer(`Attach ${url}`).waitFor();
    await screenshot("web page offered at 320");
    const asked = host.nextRequest("attach");
    await page.keyboard.press("Enter");
    assert.equal((await asked).offerId, `url:${url}`);
    await chat.attachment(pageAttachment.name).waitFor();
    assert.equal(await chat.offer(/./).count(), 0);
    await page.keyboard.type(" say?");
    assert.equal(await chat.composer.inputValue(), `What does ${url} say?`);
    assert.equal(host.all("send").length, 0);
  });

  it("sends the text if Enter was pressed before the search has ended and no file matches", async () => {
    const { chat, host } = await open({ offers: () => undefined });
    const asked = host.nextRequest("find");
    await chat.composer.fill("What is #qxzqxz");
    await chat.composer.press("Enter");
    const { searchId } = await asked;
    assert.equal(host.all("send").length, 0, "not before it is known");
    host.post({ type: "context-offers", searchId, offers: [] });
    await chat.turns("You").getByText("What is #qxzqxz").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
  });

  it("stays open when its edge or scrollbar is pressed, and leaves the focus in the text box", async () => {
    const { chat, page } = await open(sampleOffers);
    await page.keyboard.type("#");
    await chat.offer(/^summary\.ts/).waitFor();
    await chat.frame.locator(".offers").click({ position: { x: 2, y: 2 } });
    await chat.frame.locator("textarea:focus").waitFor();
    await chat.offer(/^summary\.ts/).waitFor();
    assert.equal(await chat.attachments.count(), 0, "nothing was taken");
  });
});

describe("the list that / opens", () => {
  const { open } = chatPages();

  it("inserts a prompt's name by keyboard and reports the choice to the host", async () => {
    const { chat, host, page, screenshot } = await open(sampleOffers);
    await page.keyboard.type("/");
    await chat.prompt("/explain").waitFor();
    await screenshot("prompts list");
    assert.equal(await chat.prompt(/./).count(), promptNames.length);
    await page.keyboard.type("ex");
    await chat.prompt("/review").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    // If the search for the last letter still runs, the choice waits for it.
    await chat.prompt("/explain").waitFor({ state: "detached" });
    assert.equal(await chat.composer.inputValue(), "/explain ");
    await page.keyboard.type("for a child");
    await page.keyboard.press("Enter");
    await chat.turns("You").getByText("/explain for a child").waitFor();
    assert.equal(await chat.prompt(/./).count(), 0);
    const chosen = host.all("prompt").flatMap(({ request }) => (request.type === "choose" ? [request] : []));
    assert.deepEqual(chosen, [{ type: "choose", name: "explain" }]);
  });

  it("keeps text that is typed right after a prompt's name", async () => {
    const { chat, page } = await open(sampleOffers);
    await page.keyboard.insertText("/expl");
    await chat.prompt("/explain").waitFor();
    assert.equal(await chat.composer.evaluate(chooseAndType), "/explain at once");
  });

  it("says what is not offered in an untrusted workspace", async () => {
    const { chat, host, page, screenshot } = await open({
      header: { restricted: true },
      offers: () => undefined,
    });
    await chat.transcript.getByText(restrictedNote).waitFor();
    const asked = host.next("prompt");
    await page.keyboard.type("/");
    const { request } = await asked;
    assert.ok(request.type === "find");
    const { searchId } = request;
    const offers = sampleOffers.offers?.("prompts", "") ?? [];
    host.post({ type: "context-offers", searchId, offers, note: restrictedNote });
    await chat.prompt("/explain").waitFor();
    await chat.frame.locator(".offers").getByText(restrictedNote).waitFor();
    await screenshot("prompts restricted");
    assert.equal(await chat.prompt(/./).count(), promptNames.length);
  });
});
