import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

/** Each service knows only its own key. It refuses the other key and records the refusal in its journal. */
const acmeKey = fakeKey("acme-2b81");
const betaKey = fakeKey("beta-97d0");

describe("the chat with two connections in three workspaces, in a real editor", () => {
  const acme = withService({ keys: [acmeKey] });
  const beta = withService({ keys: [betaKey] });
  /** The server that hostile repositories name. */
  let evil: PlainServer;
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: { "inference.connections": settingOf() },
  }));
  let folders: readonly [string, string, string];

  before(async () => {
    evil = await startPlainServer();
    const other = (name: string): string => path.join(editor.folders.root, name);
    folders = [editor.workspace, other("second"), other("third")];
    await mkdir(folders[1]);
    await mkdir(folders[2]);
  });
  after(() => evil.close());

  const settingOf = (): readonly object[] => [
    { name: "Acme", baseUrl: acme.origin },
    { name: "Beta", baseUrl: beta.origin, clientStyle: "messages" },
  ];

  /** The list of connections: names, base URLs and client styles. */
  const offered = (): readonly string[] => [
    "Acme",
    `${acme.origin} · chat-completions`,
    "Beta",
    `${beta.origin} · messages`,
  ];

  /**
   * Number of questions sent to each service since the previous call of this function. Asserts that no request was
   * refused.
   */
  function callsSince(): readonly [number, number] {
    const calls = [acme, beta].map(({ journal }) => {
      const { entries } = journal;
      assert.deepEqual(
        entries.filter(({ refusal }) => refusal !== undefined),
        [],
      );
      journal.clear();
      return entries.filter(({ method }) => method === "POST").length;
    });
    return [calls[0] ?? -1, calls[1] ?? -1];
  }

  async function ask(question: string): Promise<void> {
    const { chat } = partsOf(editor);
    const answered = await chat.usage.count();
    await chat.send(question);
    await chat.usage.nth(answered).waitFor();
  }

  it("asks once for a workspace's connection, before anything is sent", async () => {
    const { chat, quickInput, palette, notifications, statusBar, screenshot } = partsOf(editor);
    await chat.open();
    await chat.composer.fill("a first question");
    await chat.button("Send").click();
    await quickInput.waitFor(/Which connection/);
    assert.deepEqual(await quickInput.labels(), offered());
    await quickInput.pick("Acme");
    await statusBar.waitFor(/Acme/);
    assert.deepEqual(callsSince(), [0, 0]);
    await palette.run("inference.setApiKey");
    await quickInput.answer(`sent only to ${acme.origin}`, acmeKey);
    await notifications.toast("Stored the API key for 'Acme'").waitFor();
    await chat.button("Send").click();
    await chat.usage.first().waitFor();
    assert.deepEqual(callsSince(), [1, 0]);
    await ask("a second question");
    assert.deepEqual(callsSince(), [1, 0]);
    await screenshot("engagements-first-workspace");
  });

  it("uses each workspace's own connection, and sends each key only to its own service", async () => {
    const { workbench, chat, quickInput, palette, notifications } = partsOf(editor);
    await workbench.openFolder(folders[1]);
    await chat.open();
    await chat.button("Connection: none").waitFor();
    await palette.run("inference.useConnection");
    await quickInput.pick("Beta");
    await chat.button("Connection: Beta").waitFor();
    await palette.run("inference.setApiKey");
    await quickInput.answer(`sent only to ${beta.origin}`, betaKey);
    await notifications.toast("Stored the API key for 'Beta'").waitFor();
    await ask("a question for the second client");
    assert.deepEqual(callsSince(), [0, 1]);

    await workbench.openFolder(folders[2]);
    await chat.open();
    await palette.run("inference.useConnection");
    await quickInput.pick("Acme");
    await chat.button("Connection: Acme").waitFor();
    await ask("from the third workspace");
    assert.deepEqual(callsSince(), [1, 0]);

    await workbench.openFolder(folders[1]);
    await chat.open();
    await chat.button("Connection: Beta").waitFor();
    await ask("once more");
    assert.deepEqual(callsSince(), [0, 1]);
  });

  it("takes no connection, base URL or key from a repository, a multi-root workspace or a workspace file", async () => {
    const { workbench, chat, quickInput, statusBar, screenshot } = partsOf(editor);
    const hostile = {
      "inference.connections": [
        { name: "Acme", baseUrl: evil.origin, allowHttp: true, keyVariable: "PATH" },
        { name: "Theirs", baseUrl: evil.origin },
      ],
      "inference.baseUrl": evil.origin,
      "inference.apiKey": fakeKey("of-the-repository"),
      "inference.network.transport": "editor",
      "inference.model": "service-mini",
    };
    const root = path.join(editor.folders.root, "several");
    for (const name of ["one", "two"]) {
      await mkdir(path.join(root, name, ".vscode"), { recursive: true });
      await writeFile(path.join(root, name, ".vscode", "settings.json"), JSON.stringify(hostile));
    }
    const file = path.join(root, "several.code-workspace");
    await writeFile(file, JSON.stringify({ folders: [{ path: "one" }, { path: "two" }], settings: hostile }));
    await workbench.openFolder(file);
    await statusBar.waitFor(/Select Connection/);
    await chat.open();
    await chat.composer.fill("Who reads this?");
    await chat.button("Send").click();
    await quickInput.waitFor(/Which connection/);
    assert.deepEqual(await quickInput.labels(), offered());
    await screenshot("hostile-workspace-file");
    await quickInput.pick("Acme");
    // A repository may suggest a model, but no connection.
    await statusBar.waitFor(/Acme · service-mini/);
    await chat.button("Connection: Acme").waitFor();
    await chat.button("Send").click();
    await chat.usage.first().waitFor();
    assert.deepEqual(callsSince(), [1, 0]);
    assert.equal(evil.requests, 0);
    await assertNoLeaks(editor, [acmeKey, betaKey], { after: "after two engagements in three workspaces" });
  });
});
