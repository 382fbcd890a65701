import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { type PlainServer, startPlainServer } from "../unit/client/plainServer.ts";
import { markdownPreview } from "../support/workbench/webviewFrame.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("bad-input");
const keyVariable = "INFERENCE_BAD_INPUT_KEY";

/** What a repository would write to get at the key: an address, a connection, a key, a model. */
async function plantHostileSettings(folder: string): Promise<void> {
  const settings = {
    "inference.connections": [{ name: "Work", baseUrl: "https://evil.example", keyVariable }],
    "inference.maxTokens": "all of them",
    "inference.model": "model-of-the-repository",
  };
  await mkdir(path.join(folder, ".vscode"));
  await writeFile(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
}

describe("bad input, in a real editor", () => {
  let service: ReferenceService;
  let plain: PlainServer;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    plain = await startPlainServer();
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [
          { name: "Work", baseUrl: service.origin, keyVariable },
          { name: "Stray", baseUrl: plain.origin, keyVariable },
          { name: "Open", baseUrl: "http://h.example", keyVariable },
          {
            name: "Careless",
            baseUrl: service.origin,
            keyVariable,
            apiKey: ["sk", "in", "settings"].join("-"),
          },
        ],
      },
      environment: { [keyVariable]: key },
      prepareWorkspace: plantHostileSettings,
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await plain.close();
    await service.close();
  });

  it("warns of a key in the settings without showing it", async () => {
    const { notifications } = editor.workbench;
    const message = await notifications.message(/Careless has something like a key in its property apiKey/);
    assert.ok(!message.includes("in-settings"), message);
    await editor.workbench.screenshot("key-in-settings");
  });

  it("asks which connection the workspace is for before anything is sent, and keeps the text on Escape", async () => {
    const { chat, quickInput } = editor.workbench;
    await chat.open();
    await chat.composer.fill("a question not to be lost");
    await chat.button("Send").click();
    await quickInput.waitFor(/Which connection/);
    assert.equal(service.journal.entries.length, 0);
    await editor.workbench.screenshot("which-connection");
    await quickInput.cancel();
    assert.equal(await chat.textGivenBack(), "a question not to be lost");
    await chat.button("Connection:").click();
    await quickInput.pick("Work");
    await chat.button("Connection: Work").waitFor();
  });

  it("sends a hostile workspace's model to the right service, and nothing to its address", async () => {
    const { chat } = editor.workbench;
    await chat.button("Send").click();
    await chat.alert("model-not-found").waitFor();
    assert.equal(service.journal.answers.at(-1)?.path, "/v1/chat/completions");
    await chat.alert("model-not-found").getByRole("button", { name: "Select Model" }).click();
    await editor.workbench.quickInput.pick("service-core");
    await chat.button("Model: service-core").waitFor();
    await editor.workbench.screenshot("model-not-found");
  });

  const keys: readonly (readonly [string, RegExp])[] = [
    ["me@h.example:password", /account login is not an API key/],
    ["https://h.example/v1", /web address, not a key/],
    ["sk-\u2026abcd", /shortened display/],
    ["kl\u00e9-1234", /characters that no API key has/],
  ];
  for (const [index, [pasted, message]] of keys.entries()) {
    const name = `Typed ${index}`;
    it(`refuses ${JSON.stringify(pasted)} for a key and says why`, async () => {
      const { palette, quickInput } = editor.workbench;
      await addUpToTheKey(editor, service.origin, name);
      await quickInput.fill(pasted);
      await quickInput.accept();
      assert.match(await quickInput.validationMessage(), message);
      assert.equal((await quickInput.read()).value, pasted, "nothing typed is lost");
      await quickInput.cancel();
      // It is written down behind the last question.
      await editor.workbench.notifications.toast(`${name} was added without a key`).waitFor();
      await palette.run("inference.removeConnection");
      await quickInput.pick(name);
      await editor.workbench.dialog.press("Remove");
      await editor.workbench.notifications.toast(`${name} and its key were removed`).waitFor();
      // The workspace was bound before, and stays so.
      await editor.workbench.statusBar.waitFor(/Work · service-core/);
    });
  }

  it("says that an empty key is empty, only once it was to be taken", async () => {
    const { quickInput } = editor.workbench;
    await addUpToTheKey(editor, service.origin, "Typed");
    assert.ok(!(await quickInput.read()).isInvalid);
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /The key is empty/);
    await editor.workbench.screenshot("empty-key");
    await quickInput.cancel();
  });

  const addresses: readonly (readonly [string, RegExp])[] = [
    ["h.example/v1", /Did you mean https:\/\/h\.example\/v1/],
    ["https://user:password@h.example", /user name or password/],
    ["https://h.example/v1?key=1", /must end before/],
    ["ftp://h.example", /must begin with https/],
  ];
  it("refuses addresses that cannot be called, each with its reason", async () => {
    const { palette, quickInput } = editor.workbench;
    await palette.run("inference.addConnection");
    await quickInput.answer("A name for this client engagement", "Refused");
    await quickInput.waitFor("base address");
    for (const [typed, message] of addresses) {
      await quickInput.fill(typed);
      await quickInput.accept();
      await quickInput.waitFor(message);
      assert.match(await quickInput.validationMessage(), message);
    }
    await editor.workbench.screenshot("address-refused");
    await quickInput.cancel();
  });

  const answers: readonly (readonly [string, string, () => void])[] = [
    [
      "a web page",
      "not-an-api",
      () =>
        (plain.answer = (_request, response) => void response.end("<!doctype html><title>Welcome</title>")),
    ],
    ["nothing", "not-an-api", () => (plain.answer = (_request, response) => void response.end())],
    [
      "10 MB of garbage",
      "not-an-api",
      () => (plain.answer = (_request, response) => void response.end("\u0001garbage".repeat(1_250_000))),
    ],
    [
      "a redirect",
      "wrong-host",
      () =>
        (plain.answer = (_request, response) =>
          void response.writeHead(307, { location: "https://elsewhere.example/" }).end()),
    ],
  ];
  for (const [name, cause, arrange] of answers) {
    it(`explains a server that answers with ${name}, and keeps the question`, async () => {
      arrange();
      const { chat, quickInput } = editor.workbench;
      await chat.button("Connection:").click();
      await quickInput.pick("Stray");
      await chat.button("Connection: Stray").waitFor();
      await editor.workbench.beginChat();
      await chat.send("Is anyone there?");
      await chat.alert(cause).waitFor();
      assert.match(await chat.turns("You").first().innerText(), /Is anyone there\?/);
      await editor.workbench.screenshot(`server answers ${name}`);
    });
  }

  it("leads from a failure to the page about its cause, and from there to others", async () => {
    const { chat, page, palette, screenshot } = partsOf(editor);
    await chat.alert("wrong-host").getByRole("button", { name: "Learn More" }).click();
    await page.getByRole("tab", { name: "Preview wrong-host.md", selected: true }).waitFor();
    const shown = markdownPreview(page);
    await shown.getByRole("heading", { name: "The address leads to another host" }).waitFor();
    await shown.getByRole("heading", { name: "What to do" }).waitFor();
    await screenshot("cause-page");
    await shown.getByRole("link", { name: "This is not an inference API" }).click();
    await shown.getByRole("heading", { name: "This is not an inference API", level: 1 }).waitFor();
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
  });

  it("asks before one client's conversation goes to another client's service", async () => {
    const { chat, quickInput, dialog, palette } = partsOf(editor);
    await chat.button("Connection:").click();
    await quickInput.pick("Work");
    await chat.button("Connection: Work").waitFor();
    await palette.run("inference.newChat");
    await chat.alert().waitFor({ state: "detached" });
    await chat.send("a secret of the first client");
    await chat.usage.first().waitFor();
    await chat.button("Connection:").click();
    await quickInput.pick("Stray");
    await chat.button("Connection: Stray").waitFor();
    const before = plain.requests;
    await chat.send("and now something else");
    assert.match((await dialog.read()).message, /This conversation was with Work. Send it to Stray\?/);
    await editor.workbench.screenshot("another-client");
    await dialog.press("Cancel");
    await chat.transcript.getByText("a secret of the first client").first().waitFor();
    // The text comes back from the host; then it can be sent again.
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "and now something else");
    assert.equal(plain.requests, before);
    const question = chat.turns("You").first();
    await question.hover();
    await question.getByRole("button", { name: "Edit" }).click();
    await question.getByRole("textbox").fill("a question for the second client");
    await question.getByRole("textbox").press("Enter");
    await dialog.press("Cancel");
    // It is where it was typed, for the question whose place it takes.
    await question.getByRole("textbox").waitFor();
    assert.equal(await question.getByRole("textbox").inputValue(), "a question for the second client");
    assert.equal(await chat.composer.inputValue(), "and now something else");
    await question.getByRole("textbox").press("Enter");
    await dialog.press("Start New Chat");
    await chat.alert().waitFor();
    assert.equal(await chat.turns("You").count(), 1);
    assert.match(await chat.turns("You").first().innerText(), /a question for the second client/);
  });

  it("offers the specification's model, and any other, where no list can be had", async () => {
    plain.answer = (_request, response) => void response.writeHead(503).end();
    const { palette, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.selectModel");
    await quickInput.row("service-core").waitFor();
    assert.match(await notifications.message(/^Stray: /), /Stray/);
    await screenshot("no-model-list");
    await quickInput.fill("vendor/another-model");
    await quickInput.pick("vendor/another-model");
    await statusBar.waitFor(/Stray · vendor\/another-model/);
  });

  it("takes no key for a model, and says so", async () => {
    const { palette, quickInput, statusBar } = partsOf(editor);
    await palette.run("inference.selectModel");
    await quickInput.row("service-core").waitFor();
    await quickInput.fill(fakeKey("pasted-for-a-model"));
    const refusal = "This looks like a key, not a model.";
    await quickInput.row(refusal).waitFor();
    assert.deepEqual(await quickInput.labels(), [refusal]);
    await quickInput.accept();
    await quickInput.row(refusal).waitFor();
    await quickInput.cancel();
    await statusBar.waitFor(/Stray · vendor\/another-model/);
  });

  it("stops a check at once when it is cancelled, and calls that no failure", async () => {
    const { palette, quickInput, dialog, notifications, chat, workbench } = partsOf(editor);
    await chat.button("Connection:").click();
    await quickInput.pick("Work");
    await chat.button("Connection: Work").waitFor();
    service.pace = 60_000;
    service.journal.clear();
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    await service.journal.next(({ path: asked }) => asked === "/v1/chat/completions", soon());
    const report = workbench.report("Connection Check: Work");
    await report.result("running");
    await report.button("Cancel").click();
    await service.journal.next(({ state }) => state === "aborted", soon());
    service.pace = 0;
    assert.match(await report.result("neutral"), /Stopped/);
    await report.frame.getByRole("alert").waitFor({ state: "detached" });
    assert.deepEqual(
      (await notifications.messages()).filter((message) => message.startsWith("Work: ")),
      [],
    );
  });

  it("sends nothing to an http address that nobody allowed", async () => {
    const { chat, quickInput, palette } = editor.workbench;
    // The page of the check is open beside it.
    await chat.find();
    await chat.button("Connection:").click();
    await quickInput.pick("Open");
    await chat.button("Connection: Open").waitFor();
    await palette.run("inference.newChat");
    await chat.alert().waitFor({ state: "detached" });
    await chat.send("Is this safe?");
    await chat.alert("insecure-address").waitFor();
    await editor.workbench.screenshot("insecure-address");
  });

  it("has left the key of the variable, and what was mistaken for keys, nowhere", async () => {
    await assertNoLeaks(editor, [key, "me@h.example:password"], { after: "after bad input" });
  });
});

async function addUpToTheKey(editor: Editor, origin: string, name: string): Promise<void> {
  const { palette, quickInput } = editor.workbench;
  await palette.run("inference.addConnection");
  await quickInput.answer("A name for this client engagement", name);
  await quickInput.answer("base address", origin);
  await quickInput.waitFor("How requests are made");
  await quickInput.pick("messages");
  await quickInput.waitFor(`The API key of ${name}`);
}
