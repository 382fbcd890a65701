import assert from "node:assert/strict";
import { promptText } from "../../src/chat/prompts/promptTemplates.ts";
import type { Ask } from "../service/generation.ts";
import { prepareContextWorkspace } from "../support/contextWorkspace.ts";
import { assertNoLeaksElsewhere } from "../support/leaks.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const canary = fakeKey("prompts-5d07");

describe("attachments of a question, in a real editor", () => {
  const asks: Ask[] = [];
  const { editor } = withConnectedEditor({
    key: canary,
    service: { onAsk: (asked) => asks.push(asked) },
    recordMessages: true,
    prepareWorkspace: (folder) => prepareContextWorkspace(folder, canary),
  });

  it("include prompts and instructions, by keyboard alone, and survive a reload", async () => {
    const { workbench, chat, page, screenshot } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await workbench.openFile("summary.ts");
    await page.keyboard.press("Control+Home");
    for (let line = 0; line < 3; line += 1) await page.keyboard.press("Shift+ArrowDown");
    await chat.open();
    await chat.composer.focus();
    await page.keyboard.type("/");
    await chat.prompt("/make-form").waitFor();
    await screenshot("prompts list");
    await page.keyboard.type("ex");
    await chat.prompt("/review").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    assert.equal(await chat.composer.inputValue(), "/explain ");
    await chat.attachment("summary.ts").waitFor();
    await page.keyboard.type("for a child");
    await screenshot("prompts composer");
    assert.match(await chat.meterText(), /Instructions attached: .*AGENTS\.md/);
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    const [system, question] = asks.at(-1)?.messages ?? [];
    assert.ok(system?.role === "system" && system.text.includes("Never say [API key]"), system?.text);
    assert.ok(question?.text.endsWith(promptText("explain", "for a child")), question?.text);
    await workbench.reload();
    await chat.open();
    const turn = chat.turns("You").first();
    assert.equal(await turn.locator(".question-text").innerText(), "/explain for a child");
    await chat.sentAlong(turn).click();
    assert.equal(await turn.locator(".sent-text").innerText(), promptText("explain", "for a child"));
    const list = turn.getByRole("list", { name: "Instructions" });
    await list.getByRole("listitem", { name: "AGENTS.md" }).waitFor();
    await assertNoLeaksElsewhere(editor, canary, "after prompts and instructions");
  });
});
