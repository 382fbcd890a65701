import type { ChatHeader, ToWebview } from "../../src/chat/panelProtocol.ts";
import type { ReferenceService } from "../service/serve.ts";
import type { Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { pasteInto } from "../support/workbench/transfers.ts";
import { cutByClosing, cutWhileReasoning, everyEnding, failedAndIncluded } from "./everyoneChats.ts";
import { partsOf } from "./parts.ts";

/** Something that the view shows. */
export interface ViewState {
  readonly name: string;
  readonly show: () => Promise<void>;
  /** Takes away what would be in the way of the next. */
  readonly leave?: () => Promise<unknown>;
}

export interface Stage {
  readonly editor: Editor;
  readonly service: ReferenceService;
}

/** A file of the workspace with a name that is far too long. */
export const longName = `${"notes-of-a-meeting-".repeat(3)}2026.md`;

const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };

/** A refusal with a word that is too long for a line. */
export const refused = {
  error: {
    type: "authentication_error",
    message: `Incorrect API key provided. ${"See-the-keys-page-".repeat(6)}`,
  },
};

async function attach(editor: Editor, name: string): Promise<void> {
  const { chat, page } = partsOf(editor);
  await chat.composer.focus();
  await page.keyboard.type(`#${name}`);
  await chat
    .offer(new RegExp(`^${name}`))
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await chat.attachment(new RegExp(`^${name}`)).waitFor();
}

/** Until the host tells the next. */
const usualHeader: Partial<ChatHeader> = { connection: "Client-with-a-long-name", choosable: true };

/** Tells the page what the host would tell it, were the workspace's connection another. */
async function tellHeader(editor: Editor, header: Partial<ChatHeader>): Promise<void> {
  const message: ToWebview = {
    type: "header",
    header: {
      connection: null,
      choosable: false,
      model: "service-core",
      clientStyle: "chat-completions",
      room: { maxTokens: 1000, charactersPerToken: 4 },
      ...header,
    },
  };
  await editor.workbench.chat.frame
    .locator("html")
    .evaluate(inPage<void>(`(_, message) => window.postMessage(message, "*")`), message);
}

/** Opens a chat of before by its title. */
async function openStored(editor: Editor, title: string): Promise<void> {
  const { chat, palette, quickInput } = partsOf(editor);
  await palette.run("inference.showHistory");
  await quickInput.row(title).click();
  await chat.turns("You").first().getByText(title).waitFor();
}

/** What is looked at in every theme and size. A further state may begin where the one before ended. */
export function viewStates(stage: () => Stage): readonly ViewState[] {
  const parts = () => partsOf(stage().editor);
  return [
    { name: "empty", show: () => stage().editor.workbench.beginChat() },
    {
      name: "no connection",
      show: async () => {
        await tellHeader(stage().editor, {});
        await parts().chat.button("Add Connection...").waitFor();
      },
      leave: () => tellHeader(stage().editor, usualHeader),
    },
    {
      name: "no connection chosen, restricted",
      show: async () => {
        await tellHeader(stage().editor, { choosable: true, restricted: true });
        await parts().chat.button("Choose Connection...").waitFor();
      },
      leave: () => tellHeader(stage().editor, usualHeader),
    },
    {
      name: "not encrypted, restricted",
      show: async () => {
        await tellHeader(stage().editor, {
          connection: "Plain",
          restricted: true,
          unencryptedHost: `${"a-long-name.".repeat(5)}example`,
        });
        await parts()
          .chat.frame.getByText(/Not encrypted on the way/)
          .waitFor();
      },
    },
    {
      name: "conversation",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        await chat.send("Show me everything");
        await chat.usage.first().waitFor();
        await chat.frame.locator(".token-keyword").first().waitFor();
        await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
        await chat.frame.getByText("2 / 2").waitFor();
        await chat.frame.locator(".token-keyword").first().waitFor();
      },
    },
    {
      name: "arriving, and scrolled away",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        await chat.send("about everything /long 3000 /pace 0");
        await chat.usage.first().waitFor();
        await chat.send("about windmills /long 20000 /pace 500");
        await chat.turns("Assistant").nth(1).getByText("A long answer").waitFor();
        await chat.transcript.evaluate(inPage<void>("(log) => { log.scrollTop = 0; }"));
        await chat.button("Jump to latest").waitFor();
      },
      leave: async () => {
        await parts().chat.button("Stop").click();
        await parts().chat.transcript.getByText("Stopped.", { exact: true }).waitFor();
      },
    },
    {
      name: "every ending",
      show: async () => {
        const { chat } = parts();
        await openStored(stage().editor, everyEnding);
        await chat.button("Continue").waitFor();
        for (const fold of await chat.transcript.locator("summary").all()) await fold.click();
        await chat.frame.getByText("First I think.").waitFor();
      },
    },
    {
      name: "question left out, and one included",
      show: async () => {
        await openStored(stage().editor, failedAndIncluded);
        await parts().chat.button("Leave Out Question").waitFor();
        await parts().chat.button("Include Question").waitFor();
      },
    },
    {
      name: "cut while reasoning",
      show: async () => {
        await openStored(stage().editor, cutWhileReasoning);
        await parts().chat.button("Change Token Limit").waitFor();
      },
    },
    {
      name: "interrupted",
      show: async () => {
        await openStored(stage().editor, cutByClosing);
        await parts()
          .chat.frame.getByText(/Interrupted/)
          .waitFor();
      },
    },
    {
      name: "editing",
      show: async () => {
        const { chat } = parts();
        await openStored(stage().editor, "Show me everything");
        await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
        await chat.frame.getByRole("textbox", { name: "Edit question" }).waitFor();
      },
      leave: () => parts().page.keyboard.press("Escape"),
    },
    {
      name: "both directions",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        await chat.send("Both ways");
        await chat.usage.first().waitFor();
        await chat.composer.fill("مرحبا `code` بالعالم\nand a line in English");
      },
      leave: () => parts().chat.composer.fill(""),
    },
    {
      name: "attachments",
      show: async () => {
        await stage().editor.workbench.beginChat();
        for (const name of ["notes", "summary.ts", "readings.csv"]) await attach(stage().editor, name);
      },
      leave: async () => {
        for (const name of [/^notes/, /^summary/, /^readings/]) await parts().chat.removeAttachment(name);
      },
    },
    {
      name: "list of offers",
      show: async () => {
        const { chat, page } = parts();
        await stage().editor.workbench.beginChat();
        await page.keyboard.type("What is in #");
        await chat.offer(/^Selection/).waitFor();
      },
      leave: () => parts().chat.composer.fill(""),
    },
    {
      name: "list of prompts",
      show: async () => {
        const { chat, page } = parts();
        await stage().editor.workbench.beginChat();
        await page.keyboard.type("/");
        await chat.prompt(/explain/).waitFor();
      },
      leave: () => parts().chat.composer.fill(""),
    },
    {
      name: "a long text pasted",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        const text = "A line of a long text.\n".repeat(400);
        await pasteInto(chat.composer, { texts: { "text/plain": text } });
        await chat.composer.fill(text);
        await chat.button("Attach Instead").waitFor();
      },
      leave: () => parts().chat.composer.fill(""),
    },
    {
      name: "failure",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        stage().service.failNext({
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
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        stage().service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
        await chat.send("Hello");
        await chat.retryNotice.waitFor();
      },
      // Its next try would take the failure that is planned behind it.
      leave: () => parts().chat.retryNotice.getByRole("button", { name: "Stop" }).click(),
    },
    {
      name: "stall",
      show: async () => {
        const { chat } = parts();
        await stage().editor.workbench.beginChat();
        await chat.send("Hello /pace 60000");
        await chat.silenceNotice.waitFor();
      },
      leave: () => parts().chat.silenceNotice.getByRole("button", { name: "Stop" }).click(),
    },
    {
      name: "cap question",
      show: async () => {
        const { chat, dialog } = parts();
        await stage().editor.workbench.beginChat();
        await chat.send("many words ".repeat(3000));
        await dialog.read();
      },
      leave: async () => {
        await parts().dialog.press("Cancel");
        await parts().chat.composer.fill("");
      },
    },
    {
      name: "history",
      show: async () => {
        const { palette, quickInput } = parts();
        await palette.run("inference.showHistory");
        await quickInput
          .row(/Show me everything/)
          .first()
          .waitFor();
      },
      leave: () => parts().quickInput.cancel(),
    },
  ];
}
