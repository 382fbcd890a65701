import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { countRequests, probeIds, probeSteps } from "../../src/connection/compatibility.ts";
import { clientStyles } from "../../src/protocol/wireStyle.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { noQuirks } from "../service/quirks.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { pasteInto } from "../support/workbench/transfers.ts";
import { pixel } from "./contextWorkspace.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("compatibility");
const keyVariable = "INFERENCE_COMPATIBILITY_KEY";
const all = probeIds.length;
/** Billable requests over both styles. */
const requests = countRequests(probeSteps(clientStyles, probeIds));

describe("verifying compatibility, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
  });
  beforeEach(() => {
    service.quirks = noQuirks;
    service.journal.clear();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  // The first page that is opened here; the chat's comes later.
  const page = (): Locator =>
    editor.workbench.page
      .locator("iframe.webview")
      .first()
      .contentFrame()
      .frameLocator("iframe#active-frame")
      .getByRole("main");
  const cell = (feature: string, style: string): Locator =>
    page().locator(`tr[data-row="${feature}"] td[data-column="${style}"]`);
  const summary = (text: string | RegExp): Locator => page().getByRole("status").filter({ hasText: text });

  it("names the billable requests while they are chosen, and asks before the first", async () => {
    const { palette, quickInput, dialog, screenshot } = partsOf(editor);
    await palette.run("inference.verifyCompatibility");
    await quickInput.waitFor("Verify Compatibility (1/2)");
    await screenshot("compatibility-styles");
    await quickInput.accept();
    await quickInput.waitFor(`Verify Compatibility (2/2): ${requests - 2} Billable Requests`);
    await screenshot("compatibility-probes");
    await quickInput.row("Image input").click();
    await quickInput.waitFor(`${requests} Billable Requests`);
    await quickInput.accept();
    const { message, detail } = await dialog.read();
    assert.match(message, new RegExp(`Make ${requests} billable requests to Acme`));
    assert.match(detail, /service-core over chat-completions and messages; at most \d+ generated tokens/);
    await screenshot("compatibility-consent");
    assert.equal(service.journal.entries.length, 0);
  });

  it("shows both styles side by side, with evidence and request IDs", async () => {
    const { dialog, screenshot } = partsOf(editor);
    await dialog.press("Verify");
    await summary(`Verified. ${all * 2} yes, 0 no, 0 unclear`).waitFor();
    assert.equal(service.journal.entries.length, requests);
    for (const style of clientStyles) {
      const text = await cell("Tool use", style).innerText();
      assert.match(text, /yes/);
      assert.match(text, /Called look_up_word .*The answer used its result/);
      const asked = service.journal.entries.filter(({ path }) =>
        path.includes(style === "messages" ? "messages" : "chat"),
      );
      const ids = await Promise.all(asked.map(({ requestId }) => page().getByText(requestId).count()));
      // Of a tool's round trip the request that proves something is shown.
      const call = probeIds.indexOf("tools");
      assert.deepEqual(
        ids,
        asked.map((_, index) => (index === call ? 0 : 1)),
      );
    }
    await screenshot("compatibility-table");
    for (const theme of ["light", "high-contrast-dark"] as const) {
      await editor.workbench.setTheme(theme);
      await screenshot(`compatibility-table-${theme}`);
    }
    await editor.workbench.setTheme("dark");
  });

  it("shows what is refused and not heeded, and writes later requests so", async () => {
    service.quirks = { ...noQuirks, refuse: ["stream_options", "system", "images"], ignore: ["tools"] };
    const { dialog, screenshot, chat } = partsOf(editor);
    await page().getByRole("button", { name: "Verify Again" }).press("Enter");
    await dialog.press("Verify");
    await summary(/Verified\. .* no, 2 unclear/).waitFor();
    assert.equal(await cell("Image input", "messages").getAttribute("data-state"), "bad");
    assert.match(
      await cell("System instructions", "chat-completions").innerText(),
      /no[\s\S]*Refused.*status 400/,
    );
    assert.match(await cell("Tool use", "messages").innerText(), /unclear[\s\S]*no call came/);
    await page().getByText("chat-completions: stream_options is left out").waitFor();
    await screenshot("compatibility-refused");
    service.journal.clear();
    await chat.open();
    await chat.send("Hello there");
    await chat.usage.or(chat.button("Retry")).first().waitFor();
    const sent = service.journal.entries.filter(({ path }) => path === "/v1/chat/completions");
    assert.equal(sent.length, 1);
    assert.ok(!sent[0]?.fields?.includes("stream_options"), sent[0]?.fields?.join());
  });

  it("says of a model that was seen to take no images that it takes none, when one is attached", async () => {
    const { chat, notifications, screenshot } = partsOf(editor);
    await chat.composer.fill("What is in this picture?");
    await pasteInto(chat.composer, { files: [{ name: "picture.png", type: "image/png", data: pixel }] });
    await notifications.toast("The model service-core was seen to take no images.").waitFor();
    await screenshot("image-not-taken");
    assert.equal(await chat.attachments.count(), 0);
    assert.equal(await chat.composer.inputValue(), "What is in this picture?", "what was typed stays");
    await chat.composer.fill("");
    await notifications.clear();
  });

  it("keeps what was seen and paid for where another run ends before it has seen it again", async () => {
    const { dialog, notifications } = partsOf(editor);
    service.journal.clear();
    service.pace = 60_000;
    await page().getByRole("button", { name: "Verify Again" }).click();
    await dialog.press("Verify");
    await service.journal.next(({ inputTokens }) => inputTokens > 0, soon());
    await notifications.cancelProgress("Verifying the compatibility of Acme");
    await summary("Cancelled").waitFor();
    service.pace = 0;
    assert.match(await cell("Tool use", "messages").innerText(), /unclear[\s\S]*no call came/);
    assert.equal(await cell("Image input", "messages").getAttribute("data-state"), "bad");
  });

  it("copies the table, and forgets it when told so", async () => {
    const { notifications } = partsOf(editor);
    await page().getByRole("button", { name: "Copy as Markdown" }).click();
    await page().getByRole("button", { name: "Forget What Was Seen" }).click();
    // It stays where the pointer is.
    await notifications.toast("What was seen of service-core was forgotten").hover();
    await summary("Nothing was seen yet").waitFor();
    assert.match(await cell("Tool use", "messages").innerText(), /unknown/);
    await notifications.press("What was seen of service-core was forgotten", "Undo");
    await page()
      .getByText(/unclear/)
      .first()
      .waitFor();
    assert.match(await cell("Tool use", "messages").innerText(), /unclear[\s\S]*no call came/);
    await page().getByRole("button", { name: "Forget What Was Seen" }).click();
    await summary("Nothing was seen yet").waitFor();
    await editor.workbench.screenshot("compatibility-forgotten");
    // It is not known of images any more either.
    const { chat, dialog } = partsOf(editor);
    await pasteInto(chat.composer, { files: [{ name: "picture.png", type: "image/png", data: pixel }] });
    assert.match((await dialog.read()).message, /not known whether the model service-core takes images/);
    await dialog.press("Cancel");
    assert.equal(await chat.attachments.count(), 0);
  });

  it("ends in the middle when it is cancelled, and leaves the rest unknown", async () => {
    const { palette, quickInput, dialog, notifications, screenshot } = partsOf(editor);
    await palette.run("inference.verifyCompatibility");
    await quickInput.waitFor("Verify Compatibility (1/2)");
    await quickInput.accept();
    await quickInput.waitFor("Verify Compatibility (2/2)");
    await quickInput.accept();
    service.pace = 60_000;
    await dialog.press("Verify");
    await service.journal.next(({ inputTokens }) => inputTokens > 0, soon());
    await summary(/Request 1 of/).waitFor();
    await screenshot("compatibility-running");
    await notifications.cancelProgress("Verifying the compatibility of Acme");
    await service.journal.next(({ state }) => state === "aborted", soon());
    service.pace = 0;
    await summary("Cancelled").waitFor();
    assert.equal(service.journal.entries.length, 1);
    assert.match(await cell("Whole answer", "chat-completions").innerText(), /unknown/);
  });

  it("verifies again where the connection leads by then", async () => {
    const { palette, quickInput, dialog, screenshot } = partsOf(editor);
    const editAddress = async (): Promise<string> => {
      await palette.run("inference.editConnection");
      await quickInput.waitFor(/Which connection shall be changed/);
      await quickInput.pick("Acme");
      await quickInput.waitFor(/What shall be changed/);
      await quickInput.pick("Base Address");
      return (await quickInput.waitFor(/address/i)).value;
    };
    const moveTo = async (address: string): Promise<void> => {
      await editAddress();
      await quickInput.fill(address);
      await quickInput.accept();
    };
    await moveTo(service.origin.replace("127.0.0.1", "localhost"));
    assert.match((await dialog.read()).message, /^Send the key of the variable/);
    await dialog.press("Cancel");
    service.journal.clear();
    await page().getByRole("button", { name: "Verify Again" }).click();
    await dialog.press("Verify");
    await page().locator('[role="alert"][data-cause="key-origin-mismatch"]').waitFor();
    assert.equal(service.journal.entries.length, 0);
    await screenshot("compatibility-moved");
    await moveTo(service.origin);
    // Nothing tells that it was written down, but the next who changes it.
    while ((await editAddress()) !== service.origin) await quickInput.cancel();
    await quickInput.cancel();
  });

  it("stops at a refused key with its diagnosis, having asked once", async () => {
    service.keys.revoke(key);
    const { dialog, screenshot } = partsOf(editor);
    await page().getByRole("button", { name: "Verify Again" }).click();
    await dialog.press("Verify");
    await page().locator('[role="alert"][data-cause="revoked-key"]').waitFor();
    assert.equal(service.journal.entries.length, 1);
    await screenshot("compatibility-stopped");
  });

  it("has left the key nowhere", async () => {
    await assertNoLeaks(editor, [key], { after: "after compatibility was verified" });
  });
});
