import assert from "node:assert/strict";
import type { ChatHeader } from "../../src/chat/page/protocol.ts";
import { usualRatio } from "../../src/chat/session/tokenEstimate.ts";
import type { ChatPageOptions, OpenChatPage } from "../support/page/chatPages.ts";
import { pageAttachment, sampleAttachment, sampleOffers } from "../support/page/sampleOffers.ts";
import { complete, WrittenChat, writtenAttachment } from "../support/page/writtenChat.ts";
import { TestTools } from "../support/testTools.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { pasteInto } from "../support/workbench/transfers.ts";
import { everyoneAnswers } from "./everyoneAnswers.ts";
import {
  cutByClosing,
  cutWhileReasoning,
  everyEnding,
  failedAndIncluded,
  longConnection,
} from "./everyoneChats.ts";

/** A state of the page that the tests check. */
export interface PageState {
  readonly name: string;
  readonly options?: Omit<ChatPageOptions, "theme" | "viewport" | "zoom">;
  readonly show?: (opened: OpenChatPage) => Promise<unknown>;
}

/** A file name that is far too long. */
const longName = `${"notes-of-a-meeting-".repeat(3)}2026.md`;
const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };

/** A refusal with a word too long for one line. */
const refused = {
  error: {
    type: "authentication_error",
    message: `Incorrect API key provided. ${"See-the-keys-page-".repeat(6)}`,
  },
};

const { charactersPerToken } = usualRatio;
const header: Partial<ChatHeader> = {
  connection: longConnection,
  room: { maxTokens: 1000, charactersPerToken, contextWindow: 20_000 },
};
const withAnswers = { header, answers: (message: string) => everyoneAnswers[message] };
const withOffers = { header, ...sampleOffers };

const longPath = `src/${"a-folder-with-a-long-name/".repeat(3)}.env`;

/** Tools of an answer that asks before it reads the file with keys. */
function askingTools(): TestTools {
  const tools = new TestTools();
  tools.result = async ({ name }, { ask }) => {
    if (name === "read_file") await ask({ type: "approval", reason: "sensitive-file", path: longPath });
    return { outcome: "done", text: `${"A wide result. ".repeat(20)}\nand more`, facts: { count: 2 } };
  };
  return tools;
}

/** Tools of an answer that pauses after its first request. */
function pausingTools(): TestTools {
  const tools = new TestTools();
  tools.maxRequests = 1;
  tools.result = async () => ({ outcome: "failed", text: "There is no such folder." });
  return tools;
}

/** The states to check in every theme and size. */
export const pageStates: readonly PageState[] = [
  { name: "empty" },
  {
    name: "no connection",
    options: { header: { connection: null, choosable: false } },
    show: ({ chat }) => chat.button("Add Connection...").waitFor(),
  },
  {
    name: "no connection chosen, restricted",
    options: { header: { connection: null, choosable: true, restricted: true } },
    show: ({ chat }) => chat.button("Select Connection...").waitFor(),
  },
  {
    name: "not encrypted, restricted",
    options: {
      header: {
        connection: "Plain",
        restricted: true,
        unencryptedHost: `${"a-long-name.".repeat(5)}example`,
      },
    },
    show: ({ chat }) => chat.frame.getByText(/Not encrypted: others can read the traffic/).waitFor(),
  },
  {
    name: "a connection that no longer exists",
    options: { header: { connection: "Client-with-a-long-name", isGone: true } },
    show: ({ chat }) => chat.frame.getByText(/which was removed or renamed/).waitFor(),
  },
  {
    name: "a mode that cannot be used",
    options: { header: { ...header, mode: "plan", obstacle: "not-verified" } },
    show: ({ chat }) => chat.button("Use Ask Mode").waitFor(),
  },
  {
    name: "a model that takes an effort",
    options: { header: { ...header, effort: "131,072 tokens" } },
    show: ({ chat }) => chat.button("Effort: 131,072 tokens").waitFor(),
  },
  {
    name: "conversation",
    options: { ...withAnswers, files: ["summary.ts"] },
    show: async ({ chat }) => {
      await chat.send("Show me everything");
      await chat.usage.first().waitFor();
      await chat.frame.locator(".token-keyword").first().waitFor();
      await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
      await chat.frame.getByText("2 / 2").waitFor();
      await chat.usage.first().waitFor();
      await chat.frame.locator(".token-keyword").first().waitFor();
    },
  },
  {
    name: "arriving, and scrolled away",
    options: { header },
    show: async ({ chat }) => {
      await chat.send("about everything /long 3000 /pace 0");
      await chat.usage.first().waitFor();
      await chat.send("about windmills /long 20000 /pace 500");
      await chat.turns("Assistant").nth(1).getByText("A long answer").waitFor();
      await chat.transcript.evaluate(inPage<void>("(log) => { log.scrollTop = 0; }"));
      await chat.button("Scroll to Bottom").waitFor();
    },
  },
  {
    name: "every ending",
    options: { header, transcript: everyEnding() },
    show: async ({ chat }) => {
      await chat.button("Continue").waitFor();
      for (const fold of await chat.transcript.locator("summary").all()) await fold.click();
      await chat.frame.getByText("First I think.").waitFor();
    },
  },
  {
    name: "question left out, and one included",
    options: { header, transcript: failedAndIncluded() },
    show: async ({ chat }) => {
      await chat.button("Leave Out Question").waitFor();
      await chat.button("Include Question").waitFor();
    },
  },
  {
    name: "cut while reasoning",
    options: { header, transcript: cutWhileReasoning() },
    show: ({ chat }) => chat.button("Change Token Limit").waitFor(),
  },
  {
    name: "interrupted",
    options: { header, transcript: cutByClosing() },
    show: ({ chat }) => chat.frame.getByText(/Interrupted/).waitFor(),
  },
  {
    name: "editing",
    options: { header, transcript: writtenAnswer("Show me everything") },
    show: async ({ chat }) => {
      await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
      await chat.frame.getByRole("textbox", { name: "Edit question" }).waitFor();
    },
  },
  {
    name: "both directions",
    options: { header, transcript: writtenAnswer("Both ways") },
    show: ({ chat }) => chat.composer.fill("مرحبا `code` بالعالم\nand a line in English"),
  },
  {
    name: "attachments",
    options: {
      header,
      attachments: [
        writtenAttachment(longName, { characters: 34_000 }),
        sampleAttachment("summary.ts"),
        pageAttachment,
        sampleAttachment("readings.csv"),
      ],
    },
    show: ({ chat }) => chat.attachment("readings.csv").waitFor(),
  },
  {
    name: "list of offers",
    options: withOffers,
    show: async ({ chat, page }) => {
      await page.keyboard.type("What is in #");
      await chat.offer(/^Selection/).waitFor();
    },
  },
  {
    name: "list of prompts",
    options: withOffers,
    show: async ({ chat, page }) => {
      await page.keyboard.type("/");
      await chat.prompt(/explain/).waitFor();
    },
  },
  {
    name: "a long text pasted",
    options: { header },
    show: async ({ chat }) => {
      const text = "A line of a long text.\n".repeat(400);
      await pasteInto(chat.composer, { texts: { "text/plain": text } });
      await chat.composer.fill(text);
      await chat.button("Attach Instead").waitFor();
    },
  },
  {
    name: "failure",
    options: { header },
    show: async ({ chat, service }) => {
      service.failNext({
        status: 401,
        headers: { "x-request-id": "req_0123456789abcdef0123456789abcdef" },
        body: refused,
      });
      await chat.send("Hello");
      const alert = chat.alert();
      await alert.waitFor();
      await alert.locator("summary").click();
    },
  },
  {
    name: "retrying",
    options: { header },
    show: async ({ chat, service }) => {
      service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
      await chat.send("Hello");
      await chat.retryNotice.waitFor();
    },
  },
  {
    name: "steps, one of which asks",
    options: { header, tools: askingTools() },
    show: async ({ chat, service }) => {
      service.script.add([
        { send: [{ text: "I look." }, { call: "list_folder", arguments: { path: longPath } }] },
        { send: [{ call: "read_file", arguments: { path: longPath } }] },
      ]);
      await chat.send("Explain");
      await chat.frame.getByRole("group", { name: "Approval needed" }).waitFor();
      for (const fold of await chat.transcript.locator("summary").all()) await fold.click();
      await chat.frame.getByText("A wide result.").waitFor();
    },
  },
  {
    name: "paused, with a message for the next request",
    options: { header, tools: pausingTools() },
    show: async ({ chat, service }) => {
      service.script.add([{ send: [{ call: "list_folder", arguments: { path: "src" } }] }]);
      await chat.send("Explain");
      await chat.frame.getByRole("group", { name: "Paused" }).waitFor();
      await chat.composer.fill(`Look at ${longPath} too`);
      await chat.composer.press("Enter");
      await chat.frame.getByText(/Sent with the next request/).waitFor();
    },
  },
  {
    name: "stall",
    options: { header, stallSeconds: 0.1 },
    show: async ({ chat }) => {
      await chat.send("Hello /pace 60000");
      await chat.silenceNotice.waitFor();
    },
  },
];

function writtenAnswer(question: string): WrittenChat["transcript"] {
  const text = everyoneAnswers[question] ?? assert.fail();
  return new WrittenChat().add(question, complete, { connection: longConnection, text }).transcript;
}
