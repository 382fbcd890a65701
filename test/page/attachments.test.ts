import assert from "node:assert/strict";
import { promptText } from "../../src/chat/prompts/promptTemplates.ts";
import type { Ask } from "../service/generation.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { sampleAttachment } from "../support/page/sampleOffers.ts";
import { themeNames } from "../support/page/themes.ts";
import { complete, WrittenChat, writtenAttachment } from "../support/page/writtenChat.ts";
import { heard, listen } from "../support/workbench/spoken.ts";

const plan = writtenAttachment("a-plan-with-a-long-name.pdf", {
  kind: "pdf",
  detail: "docs/a-plan-with-a-long-name.pdf, 1.2 MB",
  characters: 0,
  content: { type: "pdf", data: "JVBERi0=" },
});

describe("the composer's attachments", () => {
  const { open } = chatPages();

  it("are removed by their button or the Delete key", async () => {
    const attachments = ["summary.ts", "readings.csv"].map(sampleAttachment);
    const { chat, host, page } = await open({ attachments });
    await chat.removeAttachment("summary.ts");
    await chat.attachment("readings.csv").getByRole("button", { name: /^Open/ }).focus();
    await page.keyboard.press("Delete");
    await chat.attachment("readings.csv").waitFor({ state: "detached" });
    assert.equal(await chat.attachments.count(), 0);
    const removed = host.allRequests("remove").map(({ id }) => id);
    assert.deepEqual(
      removed,
      attachments.map(({ id }) => id),
    );
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("show new token counts after the service reported how long its tokens are", async () => {
    const attached = writtenAttachment("notes.txt", { characters: 1600 });
    const { chat, host } = await open({ attachments: [attached] });
    const measured = (tokens: number) =>
      chat.attachment("notes.txt").getByRole("button", { name: `Open notes.txt, about ${tokens} tokens` });
    await measured(400).waitFor();
    host.post({
      type: "header",
      header: { ...host.header, room: { maxTokens: 4096, charactersPerToken: 16 } },
    });
    await measured(100).waitFor();
  });

  it("can be trimmed if a file is large", async () => {
    const text = "A line of a large text, again and again.\n".repeat(2000);
    const large = writtenAttachment("large.txt", {
      characters: text.length,
      content: { type: "text", text, language: "" },
    });
    const asks: Ask[] = [];
    const { chat, host, screenshot } = await open({
      attachments: [large],
      onAsk: (ask) => asks.push(ask),
    });
    const attachment = chat.attachment("large.txt");
    await attachment.waitFor();
    await screenshot("context large");
    const asked = host.nextRequest("trim");
    await attachment.getByRole("button", { name: /Trim to 4,000 tokens/ }).click();
    assert.equal((await asked).id, large.id);
    await attachment.locator(":focus[aria-label*=trimmed]").waitFor();
    assert.equal(await attachment.getByRole("button", { name: /^Trim/ }).count(), 0);
    await chat.send("And this?");
    await chat.usage.first().waitFor();
    const sent = asks[0]?.messages.at(-1)?.text ?? "";
    assert.match(sent, /trimmed="true">/);
    assert.match(sent, /\[\d+ characters left out\]/);
  });

  it("keep a question in the composer if a model was not seen to read their PDF file", async () => {
    const viewport = { width: 320, height: 480 };
    const { chat, host, wear, screenshot } = await open({ attachments: [plan], viewport });
    await listen(chat);
    const note = chat.frame.getByRole("note");
    const why =
      "Your question isn't sent because 'service-core' (Chat Completions) isn't known to read PDF files. To find out, run Verify Compatibility.";
    await note.getByText(why).waitFor();
    const opener = chat
      .attachment(plan.name)
      .getByRole("button", { name: `Open ${plan.name}, tokens unknown` });
    assert.match(
      (await opener.getAttribute("title")) ?? "",
      /API keys in a PDF file aren't found or removed\./,
    );
    await chat.composer.fill("What is planned?");
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`pdf-not-sent-320-${theme}`);
    }
    assert.deepEqual(await rowProblems(chat.frame), []);
    await chat.composer.press("Enter");
    await heard(chat, /^Your question isn't sent because .* isn't known to read PDF files/);
    assert.equal(await chat.composer.inputValue(), "What is planned?");
    assert.equal(await chat.attachments.count(), 1);
    const verifying = host.next("verify-pdf");
    await note.getByRole("button", { name: "Verify Compatibility..." }).press("Enter");
    await verifying;
    const { room } = host.header;
    host.post({ type: "header", header: { ...host.header, room: { ...room, takesPdf: false } } });
    await note
      .getByText(
        "Your question isn't sent because 'service-core' (Chat Completions) doesn't accept PDF files.",
      )
      .waitFor();
    assert.equal(await note.getByRole("button").count(), 1);
    const selecting = host.next("choose");
    await note.getByRole("button", { name: "Select Model" }).press("Enter");
    assert.equal((await selecting).what, "model");
    assert.ok(host.received.every(({ type }) => type !== "send"));
    host.post({ type: "header", header: { ...host.header, room: { ...room, takesPdf: true } } });
    await note.waitFor({ state: "detached" });
    assert.match(await chat.meterText(), /PDF files aren't counted/);
    await screenshot("pdf-sendable-320");
    const sending = host.next("send");
    await chat.composer.press("Enter");
    assert.equal((await sending).text, "What is planned?");
  });

  it("keep no chat from being compacted, and stay in the composer", async () => {
    const { chat, host } = await open({ attachments: [plan] });
    await chat.frame
      .getByRole("note")
      .getByText(/^Your question isn't sent/)
      .waitFor();
    const sending = host.next("send");
    await chat.composer.fill("/compact the plan");
    await chat.composer.press("Enter");
    assert.equal((await sending).text, "/compact the plan");
    assert.equal(await chat.attachments.count(), 1);
  });

  it("say that their encoding was guessed", async () => {
    const { chat } = await open({
      attachments: [writtenAttachment("old.c", { guessedEncoding: "Shift JIS" })],
    });
    const opener = chat.attachment("old.c").getByRole("button", { name: /^Open/ });
    assert.match(
      (await opener.getAttribute("aria-label")) ?? "",
      /^Open old\.c, Shift JIS \(guessed\), about/,
    );
  });

  it("have a button that asks for VS Code's list of kinds", async () => {
    const { chat, host } = await open();
    const asked = host.nextRequest("choose");
    await chat.button("Attach Context").click();
    await asked;
  });
});

describe("attachments of a question", () => {
  const { open } = chatPages();
  const summary = sampleAttachment("summary.ts");
  const instructions = [writtenAttachment("AGENTS.md", { kind: "instructions" })];
  const { transcript } = new WrittenChat().add("/explain for a child", complete, {
    attachments: [summary],
    instructions,
    prompt: {
      name: "explain",
      text: promptText("explain", "for a child"),
      place: { path: ".github/prompts/explain.prompt.md" },
      ignored: ["agent", "tools"],
    },
  });

  it("open from their question", async () => {
    const { chat, host } = await open({ transcript });
    const turn = chat.turns("You").first();
    const asked = host.nextRequest("open");
    await turn.getByRole("button", { name: "Open summary.ts" }).click();
    const turnId = await turn.getAttribute("data-turn");
    assert.deepEqual(await asked, { type: "open", id: summary.id, turnId });
  });

  it("unfold by keyboard: the prompt's text and file, ignored properties, and instructions", async () => {
    const { chat, host, page, screenshot } = await open({ transcript });
    const turn = chat.turns("You").first();
    assert.equal(await turn.locator(".question-text").innerText(), "/explain for a child");
    await screenshot("prompts turn folded");
    await chat.sentAlong(turn).focus();
    await page.keyboard.press("Enter");
    await turn.locator(".sent-text").waitFor();
    assert.equal(await turn.locator(".sent-text").innerText(), promptText("explain", "for a child"));
    await turn.getByText("Ignored front matter fields: agent, tools.").waitFor();
    await screenshot("prompts turn unfolded");
    const opened = host.next("open-file");
    await turn.getByRole("button", { name: ".github/prompts/explain.prompt.md" }).click();
    assert.equal((await opened).name, ".github/prompts/explain.prompt.md");
    const asked = host.nextRequest("open");
    const list = turn.getByRole("list", { name: "Instructions" });
    await list.getByRole("button", { name: /^Open AGENTS\.md, about \d+ tokens/ }).click();
    assert.equal((await asked).id, instructions[0]?.id);
  });

  it("come with a note in the answer if earlier messages were left out", async () => {
    const asked = new WrittenChat().add("and now?", complete, { leftOut: { turns: 3, attachments: 0 } });
    const { chat } = await open({ transcript: asked.transcript });
    const answer = chat.turns("Assistant").last();
    await answer
      .getByText(/Not sent because the context window is full \(oldest first\): 3 earlier messages/)
      .waitFor();
  });
});

describe("the context window meter", () => {
  const { open } = chatPages();
  const room = { maxTokens: 1000, charactersPerToken: 4 };

  it("says when the service is asked for the size of the context window", async () => {
    const { chat } = await open({ header: { room: { ...room, isUnasked: true } } });
    assert.match(
      await chat.meterText(),
      /After the first answer, Inference Chat asks the service for the size of the context window/,
    );
  });

  it("says that the service has not reported the context window", async () => {
    const { chat } = await open({ header: { room } });
    assert.match(
      await chat.meterText(),
      /The service hasn't reported the size of the model's context window/,
    );
  });

  it("says that it does not count the PDF file of a message during an answer", async () => {
    const message = { by: "user", text: "And the plan", attachments: [plan] } as const;
    const step = { textEnd: 0, reasoningEnd: 0, outline: [], calls: [], messages: [message] };
    const written = new WrittenChat().add("one", complete).transcript;
    const turns = written.turns.map((turn) => (turn.kind === "answer" ? { ...turn, steps: [step] } : turn));
    const transcript = { ...written, turns };
    const { chat } = await open({ transcript, header: { room: { ...room, takesPdf: true } } });
    assert.match(await chat.meterText(), /PDF files aren't counted/);
  });

  it("says how full the context window is, what is attached and what is left out", async () => {
    const { transcript } = ["one", "two", "three", "four"].reduce(
      (chat, word) => chat.add(`${word} ${"blank and word ".repeat(400)}`, complete),
      new WrittenChat(),
    );
    const { chat, host, screenshot } = await open({
      transcript,
      header: { room: { ...room, contextWindow: 4000 } },
    });
    await chat.frame.getByRole("meter", { name: "Context window" }).waitFor();
    host.post({ type: "instructions", instructions: [writtenAttachment("AGENTS.md")] });
    await chat.composer.fill("and now?");
    await chat.frame.locator(".meter[title*='Instructions attached: AGENTS.md']").waitFor();
    await screenshot("context left out");
    assert.match(await chat.meterText(), /of the 4,000 tokens in the context window/);
    assert.match(
      await chat.meterText(),
      /Not sent because the context window is full \(oldest first\): \d earlier messages/,
    );
  });
});
