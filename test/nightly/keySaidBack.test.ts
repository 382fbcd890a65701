import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { samplePieces } from "../service/saidBack.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { askInNewChat, drawnText, partsOf } from "../support/workbench/parts.ts";

const key = fakeKey(
  randomBytes(18)
    .toString("hex")
    .replace(/^(.{9})/, "$1-"),
);

describe("a service that repeats pieces of the key, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    name: "Talkative",
    key,
    service: { quirks: { saysKey: true } },
    recordMessages: true,
  });

  it("leaves no piece of the key in the display, logs, storage, clipboard or model list", async () => {
    const { palette, dialog, workbench, notifications, page, quickInput } = partsOf(editor);
    assert.match(await drawnText(await askInNewChat(editor, "Hello")), /\w/);
    // The service's words are in an answer's details, which are collapsed.
    for (const message of ["Tell me of it /cut", "Tell me of it /filter"]) {
      const answer = await askInNewChat(editor, message);
      await answer.getByText("[API key]").first().waitFor({ state: "attached" });
    }
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const passed = workbench.report("Connection Check: Talkative");
    await passed.result("good");
    service.keys.revoke(key);
    const refused = await askInNewChat(editor, "Hello again");
    await refused.getByText("[API key]").first().waitFor({ state: "attached" });
    await palette.run("inference.checkConnection");
    await passed.result("bad");
    await passed.button("Copy Support Report").click();
    await notifications.press("This is the support report", "Copy");
    assert.match(await readClipboard(page, "Inference Chat"), /\[API key\]|•••/);
    service.keys.add({}, key);
    await palette.run("inference.selectModel");
    await quickInput.row("service-mini").waitFor();
    const { copiesSearched } = await assertNoLeaks(editor, [key, ...samplePieces(key)], {
      after: "after a service that says pieces of it back, with these",
    });
    assert.ok(copiesSearched > 0, "the support report was copied");
  });
});
