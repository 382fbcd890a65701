import assert from "node:assert/strict";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { drawnText } from "../support/workbench/parts.ts";
import { noQuirks } from "../service/quirks.ts";
import { chatPages } from "../support/page/chatPages.ts";

/** A URL that means something else if its escapes are decoded. */
const address = "https://site.example/wiki/C%23?q=a%26b&next=https%3A%2F%2Fa.example%2Fc%3Fd";

describe("the end of an answer", () => {
  const { open } = chatPages();

  it("keeps the text after a network error, reports the error, and asks again on Retry", async () => {
    const { chat, screenshot } = await open();
    await chat.send("Tell me more /long 300 /pace 5 /cut");
    const alert = chat.alert("interrupted");
    await alert.waitFor();
    await screenshot("answer-cut-by-network");
    assert.match(await drawnText(chat.turns("Assistant").first()), /A long answer to: Tell me more/);
    await alert.getByRole("button", { name: "Retry" }).click();
    await chat.frame.getByText("2 / 2").waitFor();
    // The button disappears together with the failure.
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("disables Retry of an earlier failure while another answer streams", async () => {
    const { chat } = await open();
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

  for (const clientStyle of clientStyles) {
    it(`keeps the text before a content filter and names the filter, with ${clientStyle}`, async () => {
      const { chat, screenshot } = await open({ clientStyle });
      await chat.send("Tell me more /long 300 /filter");
      const answer = chat.turns("Assistant").first();
      const alert = chat.alert("content-filtered").and(answer.getByRole("alert"));
      await alert
        .getByText("The service's content filter or the model itself declined this request.")
        .waitFor();
      assert.match(await drawnText(answer), /A long answer to: Tell me more/);
      await screenshot(`answer-filtered-${clientStyle}`);
    });
  }

  it("shows the cost of an answer and of the chat if the price is known", async () => {
    const { chat } = await open({ price: { input: 1000, output: 1000, currency: "EUR" } });
    await chat.send("a first question");
    await chat.usage.filter({ hasText: "€" }).first().waitFor();
    await chat.send("a second question");
    await chat.frame.getByText(/Tokens of this chat: \d+ in, \d+ out · €/).waitFor();
  });

  it("says for an answer and for the chat that tokens were not reported", async () => {
    const { chat, service, screenshot } = await open({ quirks: { ignore: ["usage"] } });
    await chat.send("the first");
    await chat.usage.getByText("Tokens: not reported").waitFor();
    await chat.send("the second");
    await chat.frame.getByText("Tokens of this chat: not reported").waitFor();
    await screenshot("usage-not-reported");
    service.quirks = noQuirks;
    await chat.send("the third");
    await chat.frame.getByText(/Tokens of this chat: \d+ in, \d+ out · not reported for 2 answers/).waitFor();
  });
});

describe("a link in an answer", () => {
  const { open } = chatPages();
  const links = `[One](${address}) or [the other](https://other.example/).\n`;

  it("posts exactly its address to the host when pressed", async () => {
    const { chat, host, page } = await open({ answers: () => links });
    const asked: string[] = [];
    page.context().on("request", (request) => asked.push(request.url()));
    await chat.send("link");
    const opened = host.next("open-link");
    await chat.turns("Assistant").getByRole("link", { name: "One" }).click();
    assert.equal((await opened).href, address);
    assert.ok(!asked.includes(address), "the page itself opens nothing");
  });

  it("opens with the middle button, but not with the right one", async () => {
    const { chat, host } = await open({ answers: () => links });
    await chat.send("two links");
    const both = chat.turns("Assistant").getByRole("link");
    await both.nth(1).waitFor();
    const opened = host.next("open-link");
    // The right button comes first, so a link that it opened would be reported first.
    await both.first().dispatchEvent("auxclick", { button: 2 });
    await both.nth(1).dispatchEvent("auxclick", { button: 1 });
    assert.equal((await opened).href, "https://other.example/");
  });

  it("leads to a file that was created later, once the next question is asked", async () => {
    const files: string[] = [];
    const { chat } = await open({ files, answers: () => "It stands in `made-later.ts:1`.\n" });
    await chat.send("file");
    const answer = chat.turns("Assistant").first();
    await answer.locator("[data-file]").waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    files.push("made-later.ts");
    await chat.send("And now?");
    await answer.getByRole("link", { name: "made-later.ts:1" }).waitFor();
  });
});
