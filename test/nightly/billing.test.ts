import assert from "node:assert/strict";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

describe("token caps, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    searchesForKeys: true,
    settings: { "inference.chat.tokenCap": 1, "inference.chat.dailyTokenCap": 1 },
  });

  it("ask about the daily cap even in a new chat, and keep the typed question across a reload", async () => {
    const { workbench, chat, dialog } = partsOf(editor);
    await chat.open();
    await chat.send("A question of some length");
    assert.match((await dialog.read()).message, /This chat has used 0 tokens/);
    await workbench.loadPageAgain();
    await chat.open();
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    await chat.composer.press("Enter");
    await dialog.root.getByRole("button", { name: "Start New Chat" }).click();
    await dialog.root
      .getByText(/today\. Your next question would exceed your daily token cap of 1/)
      .waitFor();
    assert.equal(service.journal.answers.length, 0);
    await dialog.press("Cancel");
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    assert.equal(service.journal.answers.length, 0);
  });
});
