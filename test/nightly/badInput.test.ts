import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Editor } from "../support/endToEnd.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const key = fakeKey("bad-input");
const keyVariable = "INFERENCE_BAD_INPUT_KEY";
/** A login that was mistaken for a key. */
const login = "me@h.example:password";

/**
 * Writes the settings of a repository that tries to get the key: a connection to its server, a token limit and a model.
 */
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
  const service = withService({ keys: [key] });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: {
      "inference.connections": [
        { name: "Work", baseUrl: service.origin, keyVariable },
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
  }));

  it("is refused as a key or a model, sends nothing to another service, and leaves no key anywhere", async () => {
    const { chat, quickInput, notifications, screenshot } = partsOf(editor);
    const message = await notifications.message(
      /Connection 'Careless' is ignored because 'apiKey' seems to contain an API key/,
    );
    assert.ok(!message.includes("in-settings"), message);
    await screenshot("key-in-settings");

    await chat.open();
    await chat.composer.fill("a question not to be lost");
    await chat.button("Send").click();
    await quickInput.waitFor(/Which connection/);
    await quickInput.cancel();
    assert.equal(await chat.textGivenBack(), "a question not to be lost");
    assert.equal(service.journal.entries.length, 0);
    await chat.button("Connection:").click();
    await quickInput.pick("Work");
    await chat.button("Connection: Work").waitFor();

    await addUpToTheKey(editor, service.origin, "Typed");
    assert.ok(!(await quickInput.read()).isInvalid, "nothing was typed yet");
    await quickInput.fill(login);
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /email address, not an API key/);
    assert.equal((await quickInput.read()).value, login, "nothing typed is lost");
    await quickInput.cancel();
    await notifications.toast("Added 'Typed' without an API key").waitFor();

    // The repository's model is requested from the user's own service.
    await chat.button("Send").click();
    await chat.alert("model-not-found").getByRole("button", { name: "Select Model" }).click();
    assert.equal(service.journal.answers.at(-1)?.path, "/v1/chat/completions");
    await quickInput.row("service-core").waitFor();
    await quickInput.fill(fakeKey("pasted-for-a-model"));
    const refusal = "This looks like an API key, not a model ID.";
    await quickInput.row(refusal).waitFor();
    assert.deepEqual(await quickInput.labels(), [refusal]);
    await quickInput.accept();
    await quickInput.row(refusal).waitFor();
    await quickInput.fill("");
    await quickInput.pick("service-core");
    await chat.button("Model: service-core").waitFor();
    await assertNoLeaks(editor, [key, login], { after: "after bad input" });
  });
});

async function addUpToTheKey(editor: Editor, origin: string, name: string): Promise<void> {
  const { palette, quickInput } = editor.workbench;
  await palette.run("inference.addConnection");
  await quickInput.answer("a name for this connection", name);
  await quickInput.answer("Base URL of the service", origin);
  await quickInput.waitFor("Which client style (format of requests) does the service use?");
  await quickInput.pick("messages");
  await quickInput.waitFor(`API key for '${name}'`);
}
