import assert from "node:assert/strict";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { answerForAcme, askInNewChat, partsOf } from "../support/workbench/parts.ts";

const canary = fakeKey("canary-editors-5b10");
const wrongCanary = fakeKey("canary-editors-wrong-c7d4");

/** With this transport, VS Code's own code sends the key and writes its own logs. */
describe("the main job over the editor's own connection, in a real editor", () => {
  const service = withService({ keys: [canary] });
  const editor = withEditor({
    recordMessages: true,
    log: "trace",
    settings: { "inference.network.transport": "editor" },
  });

  async function setKey(key: string): Promise<void> {
    const { quickInput, notifications } = partsOf(editor);
    await quickInput.answer("API key for 'Acme'", key);
    await notifications.message("Stored the API key for 'Acme'");
    await notifications.clear();
  }

  it("adds and checks a connection, chats in both client styles, and explains a failed request", async () => {
    const { palette, notifications, dialog, workbench, quickInput, chat } = partsOf(editor);
    await palette.run("inference.addConnection");
    await answerForAcme(editor, service.origin, canary);
    await notifications.press("Added 'Acme'", "Check Connection");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Acme");
    await report.result("good");
    assert.match(await report.cell("Network", "Result"), /VS Code sends the requests/);
    await report.button("Copy Support Report").click();
    await notifications.press("This is the support report", "Copy");

    await askInNewChat(editor, "Hello there /rich");
    await chat.usage.first().waitFor();
    await chat.button("Client style:").click();
    await quickInput.pick("messages");
    await chat.frame.getByRole("button", { name: /^Client style: messages/i }).waitFor();
    await palette.run("inference.setApiKey");
    await setKey(wrongCanary);
    await chat.send("Does this key work?");
    const alert = chat.alert("invalid-key");
    await alert.waitFor();
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await setKey(canary);
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).click();
    await chat.usage.nth(1).waitFor();
    const sent = service.journal.answers.filter(({ status }) => status === 200);
    assert.deepEqual(
      new Set(sent.map(({ path }) => path)),
      new Set(["/v1/chat/completions", "/v1/messages"]),
    );
  });

  it("has left the keys nowhere, even with trace logging", async () => {
    const { palette, page } = partsOf(editor);
    await palette.run("inference.showLog");
    await page.locator(".panel .view-lines").first().filter({ hasText: "/v1/messages" }).waitFor();
    const leaks = await assertNoLeaks(editor, [canary, wrongCanary], {
      after: "after the main job over the editor's own connection, with trace logging",
    });
    assert.ok(leaks.copiesSearched >= 1, `${leaks.copiesSearched} copies were searched`);
  });
});
