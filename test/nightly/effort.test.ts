import assert from "node:assert/strict";
import { noQuirks } from "../service/quirks.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { partsOf } from "../support/workbench/parts.ts";

const requestFields = { "*": { temperature: 0.2, model: "another" } };

describe("a reasoning effort, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    settings: { "inference.chat.requestFields": requestFields },
  });

  it("is verified, selected by keyboard, sent with the user's fields, and dropped once it is refused", async () => {
    const { workbench, palette, quickInput, dialog, notifications, chat, page, screenshot } = partsOf(editor);
    await notifications.message("is ignored because Inference Chat sets it itself");
    await screenshot("effort-ignored-field");
    await palette.run("inference.verifyCompatibility");
    await quickInput.waitFor("Verify Compatibility (1/2)");
    await quickInput.accept();
    await quickInput.waitFor("Verify Compatibility (2/2)");
    await quickInput.accept();
    await dialog.press("Verify");
    await workbench.report("Compatibility of Acme").result("good");
    await chat.open();
    await chat.button("Effort: Off").waitFor();
    await chat.composer.focus();
    await page.keyboard.type("Answer with the word otter.");
    for (let stop = 0; stop < 4; stop += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await quickInput.waitFor("Select how much the model reasons before it answers");
    await quickInput.row("High").waitFor();
    await screenshot("effort-levels");
    for (let row = 0; row < 3; row += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await chat.button("Effort: High").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    service.journal.clear();
    await page.keyboard.press("Enter");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("otter").waitFor();
    await answer.getByText("Reasoning").waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    const [sent] = service.journal.answers;
    assert.ok(sent?.fields?.includes("reasoning_effort") && sent.fields.includes("temperature"));
    assert.equal(sent?.model, "service-core");
    await screenshot("effort-answer");
    service.quirks = { ...noQuirks, refuse: ["reasoning_effort"] };
    await chat.send("Answer with the word heron.");
    const refused = chat.turns("Assistant").nth(1);
    await refused.getByText(/^The service refused the reasoning effort \(reasoning_effort\)/).waitFor();
    await refused.getByText("heron").waitFor();
    await chat.button("Effort: High").waitFor({ state: "detached" });
    await screenshot("effort-refused-in-editor");
  });
});
