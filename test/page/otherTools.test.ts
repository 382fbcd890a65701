import assert from "node:assert/strict";
import type { CallRequest } from "../../src/chat/transcript/steps.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { themeNames } from "../support/page/themes.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { TestTools, toolRequest } from "../support/testTools.ts";

describe("the card of a tool of others", () => {
  const { open } = chatPages();

  async function openCard(request: CallRequest) {
    const tools = new TestTools("agent");
    tools.askFirst(request);
    const opened = await open({ tools });
    opened.service.script.add([
      { send: [{ call: "mcp_notes_add", arguments: { text: "Buy milk" } }] },
      { send: [{ text: "Done." }] },
    ]);
    await opened.chat.send("Note it");
    return { ...opened, tools, card: opened.chat.frame.getByRole("group", { name: "Approval needed" }) };
  }

  it("shows its source and all arguments, and announces VS Code's own question", async () => {
    const { card, chat, tools, screenshot } = await openCard(toolRequest());
    await card.getByText("Use the tool 'mcp_notes_add'?").waitFor();
    await card.getByText("Provided by: MCP server 'notes'").waitFor();
    const shown = await card.getByRole("group", { name: "Arguments" }).innerText();
    assert.match(shown, /"text": "Buy milk[^"\u200b]*\u200b?[^"]*200B[^"]*",\n {2}"tags": \[\n {4}"home"/i);
    await card.getByText("After you allow it, VS Code might ask once more.").waitFor();
    await screenshot("tool-card");
    await card.getByRole("button", { name: "Allow for This Session" }).click();
    await chat.frame.getByText("Done.", { exact: true }).waitFor();
    await chat.frame.getByText("Called 'mcp_notes_add'", { exact: true }).waitFor();
    assert.deepEqual(tools.replies, [{ type: "allow", scope: "session" }]);
  });

  it("says why an allowed tool asks again, and then offers no session", async () => {
    for (const [asksAgain, text] of [
      ["typing", "You are typing, so your earlier permission asks again."],
      ["outside-content", "so your earlier permission asks again."],
    ] as const) {
      const { card } = await openCard(toolRequest({ asksAgain, canAllowForSession: false }));
      await card.getByText(text).waitFor();
      assert.equal(await card.getByRole("button", { name: "Allow for This Session" }).count(), 0);
    }
  });

  it("leaves the composer without the focus when it is allowed, and gives it back when it is denied", async () => {
    for (const [button, isTyping] of [
      ["Allow", false],
      ["Deny", true],
    ] as const) {
      const { card, chat, host } = await openCard(toolRequest());
      await card.waitFor();
      await chat.frame.locator("textarea").first().focus();
      const replied = host.next("reply-call");
      await card.getByRole("button", { name: button, exact: true }).click();
      await replied;
      await chat.frame.getByText("Done.", { exact: true }).waitFor();
      assert.equal(await chat.frame.locator("textarea:focus").count(), isTyping ? 1 : 0);
      const told = host.received.flatMap((message) => (message.type === "typing" ? message.isTyping : []));
      assert.equal(told.at(-1), isTyping);
    }
  });

  it("fits into 320 px in every theme, with long arguments", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(toolRequest({ arguments: JSON.stringify({ text: "long ".repeat(2000) }, null, 2) }));
    const opened = await open({ tools, viewport: { width: 320, height: 800 } });
    opened.service.script.add([{ send: [{ call: "mcp_notes_add", arguments: {} }] }]);
    await opened.chat.send("Note it");
    await opened.chat.frame.getByRole("group", { name: "Approval needed" }).waitFor();
    for (const theme of themeNames) {
      await opened.wear(theme);
      await opened.screenshot(`tool-card-320-${theme}`);
      assert.deepEqual(await accessibilityProblems(opened.chat.frame, "--vscode-sideBar-background"), []);
    }
    assert.deepEqual(await layoutProblems(opened.chat.frame), []);
    assert.deepEqual(await rowProblems(opened.chat.frame), []);
  });
});
