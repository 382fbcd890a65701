import assert from "node:assert/strict";
import type { PageHostOptions } from "../support/page/pageHost.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { focused, focusedName, namesOf, walk } from "../support/page/focusWalk.ts";
import { sampleAttachment, sampleOffers } from "../support/page/sampleOffers.ts";
import { themeNames } from "../support/page/themes.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { inPage } from "../support/workbench/inPage.ts";

/** A link to a file, and code that is too wide. */
const thoughtful = `See summary.ts:3 and [this](https://example.com/).\n\n\`\`\`ts\nconst line = '${"wide ".repeat(40)}';\n\`\`\`\n`;
const muchCode = "Code:\n\n```text\nAs wide as the view is at first, and no wider.\n```\n\n".repeat(100);
const narrow = { width: 320, height: 800 };

/** A question with a file, an answer with reasoning, and a file attached to the next question. */
function thoughtfulChat(): Omit<PageHostOptions, "origin" | "key"> {
  const { transcript } = new WrittenChat().add("Think about it", complete, {
    attachments: [sampleAttachment("summary.ts")],
    reasoning: "I think of a file.",
    text: thoughtful,
  });
  return { transcript, attachments: [sampleAttachment("readings.csv")], files: ["summary.ts"] };
}

describe("the keyboard", () => {
  const { open } = chatPages();

  it("enters and leaves the page with Tab, and stops once at the transcript and each control of a turn", async () => {
    const opened = await open({ viewport: narrow, ...thoughtfulChat() });
    const { chat, page } = opened;
    await chat.frame.getByRole("link", { name: "summary.ts:3" }).waitFor();
    assert.deepEqual(namesOf(await walk(opened, "Tab")), [
      "button Attach Context",
      "button Mode: Ask",
      "button Model: service-core",
      "button Send",
      "button Connection: Acme",
      "button Client style: Chat Completions",
    ]);
    await chat.composer.focus();
    assert.deepEqual(namesOf(await walk(opened, "Shift+Tab")), [
      "button Remove 'readings.csv'",
      "button Open readings.csv, about 13 tokens",
      "log Conversation",
    ]);
    await chat.transcript.focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(opened), "article Assistant");
    assert.deepEqual(namesOf(await walk(opened, "Tab", "button Open readings.csv, about 13 tokens")), [
      "summary Reasoning",
      "link summary.ts:3",
      "link this",
      "button Copy Code",
      "group Code",
      "button Copy",
      "button Retry",
      "button Ask Again With...",
      "button Open readings.csv, about 13 tokens",
    ]);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focusedName(opened), "article Assistant", "back where one was");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(opened), "article You");
    assert.deepEqual(namesOf(await walk(opened, "Tab", "button Edit")), [
      "button Open summary.ts, about 185 tokens",
      "button Edit",
    ]);
    await page.keyboard.press("Escape");
    assert.equal(await focusedName(opened), "article You");
    await page.keyboard.press("Escape");
    assert.equal(await focusedName(opened), "textbox Message");
  });

  it("opens the reasoning, switches versions and edits a question", async () => {
    const opened = await open({ ...thoughtfulChat(), answers: () => thoughtful });
    const { chat, page } = opened;
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("link", { name: "summary.ts:3" }).waitFor();
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await answer.getByText("I think of a file.").waitFor();
    await walk(opened, "Tab", "button Retry");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    await answer.getByRole("link", { name: "summary.ts:3" }).waitFor();
    await chat.usage.first().waitFor();
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await walk(opened, "Tab", "button Previous version");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("1 / 2").waitFor();
    await walk(opened, "Tab", "button Next version");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await walk(opened, "Tab", "button Edit");
    await page.keyboard.press("Enter");
    await chat.frame.locator("[aria-label='Edit question']:focus").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await focusedName(opened), "article You");
  });

  it("scrolls wide code with the arrow keys", async () => {
    const opened = await open({ viewport: narrow, ...thoughtfulChat() });
    const { chat, page } = opened;
    await chat.frame.getByRole("link", { name: "summary.ts:3" }).waitFor();
    await chat.transcript.focus();
    await page.keyboard.press("End");
    await walk(opened, "Tab", "group Code");
    await page.keyboard.press("ArrowRight");
    const code = chat.turns("Assistant").first().getByRole("group", { name: "Code" });
    while ((await code.evaluate(inPage<number>("(element) => element.scrollLeft"))) === 0) {
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
  });

  it("stops at code that became too wide while out of sight", async () => {
    const { transcript } = new WrittenChat().add("Much code", complete, { text: muchCode });
    const opened = await open({ transcript, viewport: { width: 640, height: 800 } });
    const { chat, page } = opened;
    const first = chat.turns("Assistant").first().locator("pre").first();
    assert.equal(await first.getAttribute("tabindex"), null, "it is not too wide");
    await page.setViewportSize(narrow);
    await chat.transcript.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await chat.frame.locator(".markdown-section:first-child > :nth-child(2) pre[tabindex='0']").waitFor();
    await walk(opened, "Tab", "group Code");
    assert.equal(await first.evaluate(inPage<boolean>("(code) => code === document.activeElement")), true);
  });

  for (const theme of themeNames) {
    it(`shows the focus in the ${theme} theme`, async () => {
      const opened = await open({ theme, viewport: narrow, ...thoughtfulChat() });
      const { chat, page, screenshot } = opened;
      await chat.frame.getByRole("link", { name: "summary.ts:3" }).waitFor();
      const stops = [await focused(opened), ...(await walk(opened, "Tab"))];
      await chat.composer.focus();
      stops.push(...(await walk(opened, "Shift+Tab", "log Conversation")));
      await page.keyboard.press("End");
      stops.push(await focused(opened), ...(await walk(opened, "Tab", "button Remove 'readings.csv'")));
      await chat.transcript.focus();
      await page.keyboard.press("Home");
      stops.push(await focused(opened), ...(await walk(opened, "Tab", "button Edit")));
      await screenshot(`everyone focus ${theme}`);
      assert.ok(!stops.includes(undefined), "it is in the page");
      assert.ok(stops.length > 18, `${stops.length} stops`);
    });
  }

  it("attaches files, removes one, asks, and uses the code of the answer", async () => {
    const code = "Here it is.\n\n```ts\nconst total = 1;\n```\n";
    const opened = await open({ ...sampleOffers, answers: () => code });
    const { chat, host, page } = opened;
    for (const name of ["summary.ts", "readings.csv"]) {
      await page.keyboard.type(`#${name.slice(0, 5)}`);
      await chat
        .offer(new RegExp(`^${name}`))
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await chat.attachment(name).waitFor();
    }
    await walk(opened, "Shift+Tab", "button Open readings.csv, about 13 tokens");
    await page.keyboard.press("Delete");
    await chat.attachment("readings.csv").waitFor({ state: "detached" });
    await walk(opened, "Tab", "textbox Message");
    await page.keyboard.type("Show me code");
    await page.keyboard.press("Enter");
    await chat.usage.first().waitFor();
    assert.equal(await chat.turns("You").first().getByRole("listitem").count(), 1);
    assert.equal(await focusedName(opened), "textbox Message");

    await walk(opened, "Shift+Tab", "log Conversation");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(opened), "article Assistant");
    await walk(opened, "Tab", "button Copy Code");
    for (const [key, name] of [
      ["ArrowRight", "button Insert at Cursor"],
      ["ArrowRight", "button Apply in Editor"],
      ["Home", "button Copy Code"],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await focusedName(opened), name);
    }
    const copied = host.next("copy");
    await page.keyboard.press("Enter");
    assert.equal((await copied).text, "const total = 1;");
  });

  it("retries, stops, edits, and switches branches", async () => {
    const { transcript } = new WrittenChat().add("Show me more", complete);
    const opened = await open({ transcript });
    const { chat, page } = opened;
    const enterTranscript = async (key: string): Promise<void> => {
      await walk(opened, "Shift+Tab", "log Conversation");
      await page.keyboard.press(key);
    };
    await enterTranscript("ArrowUp");
    await walk(opened, "Tab", "button Retry");
    await page.keyboard.press("Enter");
    await chat.frame.getByText("2 / 2").waitFor();
    await chat.usage.first().waitFor();
    assert.equal(await focusedName(opened), "textbox Message");

    await page.keyboard.type("Hello /long 4000 /pace 50");
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").nth(1).getByText(/\w+/).first().waitFor();
    await page.keyboard.press("Escape");
    await chat.transcript.getByText("Stopped.", { exact: true }).waitFor();
    assert.equal(await focusedName(opened), "textbox Message");

    await enterTranscript("Home");
    assert.equal(await focusedName(opened), "article You");
    await walk(opened, "Tab", "button Edit");
    await page.keyboard.press("Enter");
    await chat.frame.locator("[aria-label='Edit question']:focus").waitFor();
    await page.keyboard.type(" again");
    await page.keyboard.press("Enter");
    await chat.turns("You").first().getByText("Show me more again").waitFor();
    await chat.usage.first().waitFor();
    assert.equal(await focusedName(opened), "textbox Message");
    await enterTranscript("Home");
    await walk(opened, "Tab", "button Previous version");
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    assert.equal(await focusedName(opened), "button Previous version", "the focus stays where it was");
  });
});
