import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { FromWebview } from "../../src/chat/page/protocol.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { TestTools } from "../support/testTools.ts";
import { WrittenChat } from "../support/page/writtenChat.ts";

const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };

/** For every message of the page: the buttons that send it and cause a billable request. */
const buttonsOf: Readonly<Record<FromWebview["type"], readonly string[]>> = {
  send: ["Send"],
  edit: ["Send"],
  continue: ["Continue"],
  retry: ["Retry"],
  "retry-with": ["Ask Again With..."],
  "retry-now": ["Retry Now"],
  resume: ["Resume"],
  "reply-pause": ["Continue"],
  // Actions of a failure. These two send a billable request.
  action: ["Retry", "Check Connection"],
  ready: [],
  focused: [],
  blurred: [],
  typing: [],
  stop: [],
  // The answer that the card belongs to has been allowed to send requests.
  "reply-call": [],
  changes: [],
  "keep-waiting": [],
  "select-version": [],
  include: [],
  "open-limit": [],
  "new-chat": [],
  draft: [],
  choose: [],
  "mend-mode": [],
  // Opens the list of tests, which names the requests.
  "verify-pdf": [],
  context: [],
  copy: [],
  "open-link": [],
  "find-files": [],
  "open-file": [],
  "follow-code-colors": [],
  "code-action": [],
  "apply-answer": [],
  prompt: [],
};

interface ShownButton {
  readonly name: string;
  readonly isBilled: boolean;
}

/** The buttons, and whether each announces a billable request. Asserts that its tooltip and its description agree. */
async function readButtons(buttons: Locator): Promise<readonly ShownButton[]> {
  const shown: ShownButton[] = [];
  for (const button of await buttons.all()) {
    const name = (await button.getAttribute("aria-label")) ?? (await button.innerText()).trim();
    const hint = (await button.getAttribute("title")) ?? "";
    const isBilled = (await button.getAttribute("aria-description")) === "Billable request";
    assert.equal(hint.endsWith(" · billable request"), isBilled, `${name}: ${hint}`);
    shown.push({ name, isBilled });
  }
  return shown;
}

describe("billable requests", () => {
  const { open } = chatPages();

  it("are announced by every button that causes one, and by no other button", async () => {
    const { transcript } = new WrittenChat().add("Tell me more", { kind: "complete", reason: "length" });
    const tools = new TestTools();
    const { chat, service, screenshot } = await open({ transcript, stallSeconds: 1, tools });
    const billed = new Set<string>();
    const free = new Set<string>();
    const look = async (): Promise<void> => {
      for (const { name, isBilled } of await readButtons(chat.frame.getByRole("button"))) {
        (isBilled ? billed : free).add(name);
      }
    };
    await chat.turns("Assistant").first().getByText("The answer reached its token limit.").waitFor();
    await look();
    await chat.button("Edit").click();
    await chat.frame.getByRole("textbox", { name: "Edit question" }).waitFor();
    await look();
    await chat.button("Cancel").click();
    await chat.send("Go on /long 60 /pace 60000");
    await chat.silenceNotice.waitFor();
    await look();
    await chat.silenceNotice.getByRole("button", { name: "Stop" }).click();
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
    await chat.send("Hello");
    await chat.retryNotice.waitFor();
    await look();
    await chat.retryNotice.getByRole("button", { name: "Stop" }).click();
    await chat.alert("overloaded").waitFor();
    await look();
    service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    await chat.send("Hello again");
    await chat.alert("server-error").getByRole("button", { name: "Check Connection" }).hover();
    await look();
    await screenshot("billable-hint");
    service.script.add([{ send: [{ call: "read_file", arguments: { path: "a.ts" } }] }]);
    tools.result = async () => {
      service.failNext({ status: 401 });
      return { outcome: "done", text: "text" };
    };
    await chat.send("Explain a.ts");
    await chat.button("Resume").waitFor();
    await look();
    assert.deepEqual([...billed].sort(), [...new Set(Object.values(buttonsOf).flat())].sort());
    assert.deepEqual(
      [...free].filter((name) => billed.has(name)),
      [],
      "one name, one meaning",
    );
  });
});
