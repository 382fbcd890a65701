import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { withEditor } from "../support/withEditor.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("guarded-71c2");

/** Sends a complete answer. Returns the body of the request. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<string> {
  const body = await text(request);
  const choices = [{ message: { content: "Yes." }, finish_reason: "stop" }];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices }));
  return body;
}

describe("the exposed-key guard, in a real editor", () => {
  let server: PlainServer;

  before(async () => {
    server = await startPlainServer();
  });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: { "inference.connections": [{ name: "Acme", baseUrl: server.origin, keyVariable }] },
    environment: { [keyVariable]: canary },
  }));
  after(() => server.close());

  it("removes a key from a question before sending, and says so", async () => {
    const { chat, notifications, screenshot } = partsOf(editor);
    const asked = new Promise<string>((resolve, reject) => {
      server.answer = (request, response) => void answer(request, response).then(resolve, reject);
    });
    await chat.open();
    await chat.send(`Is ${canary} a good key?`);
    const body = await asked;
    assert.ok(body.includes("Is [API key] a good key?"), "the question is sent without the key");
    assert.ok(!body.includes(canary));
    assert.match(
      await notifications.message("Removed the API key for 'Acme'"),
      /from your message before the message was sent/,
    );
    await screenshot("exposed-key-chat");
  });

  it("reports a problem for a key that is typed into a file, and writes the key into no log", async () => {
    const { palette, page, screenshot } = partsOf(editor);
    await palette.runTitle("File: New Untitled Text File", "workbench.action.files.newUntitledFile");
    await page.locator('.editor-instance .monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    // VS Code names an untitled file after its first line.
    await page.keyboard.type("notes");
    await page.keyboard.press("Enter");
    await page.keyboard.type(`token = ${canary}`);
    await palette.runTitle("View: Focus Problems", "workbench.panel.markers.view.focus");
    const problem = page
      .locator(".markers-panel")
      .getByText("This text contains the API key for 'Acme'")
      .first();
    await problem.waitFor();
    await screenshot("exposed-key-problem");
    const panel = await page.locator(".markers-panel").innerText();
    assert.ok(!panel.includes(canary));
    const { filesSearched } = await assertNoLeaks(editor, [canary], {
      after: "in the logs after exposed keys",
      // The browser's own database contains VS Code's backup of the file with the key.
      isExpected: (place) => !place.endsWith(".log") || place.startsWith("file browser/"),
    });
    assert.ok(filesSearched > 20);
  });
});
