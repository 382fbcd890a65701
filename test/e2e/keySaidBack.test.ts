import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { samplePieces } from "../service/saidBack.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { askInNewChat, drawnText, partsOf, showFailedTest } from "../support/workbench/parts.ts";

const key = fakeKey(
  randomBytes(18)
    .toString("hex")
    .replace(/^(.{9})/, "$1-"),
);
const keyVariable = "INFERENCE_SAID_BACK_KEY";

describe("a service that says pieces of the key back, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ quirks: { saysKey: true } });
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Talkative", baseUrl: service.origin, keyVariable }],
      },
      environment: { [keyVariable]: key },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("leaves no piece of it in what is shown, logged, stored and copied, nor in the models to choose from", async () => {
    const { palette, dialog, workbench, notifications, page, quickInput } = partsOf(editor);
    assert.match(await drawnText(await askInNewChat(editor, "Hello")), /\w/);
    // What the service said stands among an answer's details, which are closed.
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
