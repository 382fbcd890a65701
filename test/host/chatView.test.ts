import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { extensionId } from "../../src/contributions.ts";
import { ApiKeyStore } from "../../src/editor/apiKeyStore.ts";
import { ChatView } from "../../src/editor/chat/chatView.ts";
import type { LoadedChats } from "../../src/editor/chat/loadChats.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { createMemento } from "../unit/editor/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { createTalking, loadTestChats } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_VIEW_KEY";
const connection = "Viewed";

describe("the view of a chat", () => {
  const owned: vscode.Disposable[] = [];
  let folder: string;
  let service: ReferenceService;
  let loaded: LoadedChats;
  let view: ChatView;

  before(async () => {
    service = await startReferenceService();
    process.env[keyVariable] = service.keys.add({}, fakeKey("viewed"));
    await writeConnections([{ name: connection, baseUrl: service.origin, keyVariable }]);
    folder = await mkdtemp(path.join(tmpdir(), "view-"));
    const { secrets } = await companionStores();
    const state = createMemento();
    const talking = createTalking(new ApiKeyStore(secrets, process.env, state), state, owned);
    await talking.connections.use({ name: connection });
    loaded = await loadTestChats(talking, folder, owned);
    const { extensionUri } = vscode.extensions.getExtension(extensionId) ?? assert.fail();
    view = new ChatView(extensionUri, () => Promise.resolve(loaded));
    owned.push(loaded.chats, view);
  });
  after(async () => {
    await loaded.chats.close();
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await rm(folder, { recursive: true });
    await writeConnections(undefined);
    delete process.env[keyVariable];
    await service.close();
  });

  /** Gives the view a page, as the editor does once there is room for it. */
  async function resolve(): Promise<vscode.WebviewPanel> {
    const panel = vscode.window.createWebviewPanel("viewed", "Chat", vscode.ViewColumn.One);
    owned.push(panel);
    await view.resolveWebviewView({
      viewType: panel.viewType,
      webview: panel.webview,
      visible: true,
      onDidChangeVisibility: () => new vscode.Disposable(() => undefined),
      onDidDispose: panel.onDidDispose,
      show: () => undefined,
    });
    return panel;
  }

  /** The chat that the view shows, once it has an answer. */
  async function answered() {
    const chat = await view.current();
    while (chat.session.transcript.turns.length < 2 || chat.session.busy)
      await new Promise((done) => setTimeout(done, 20));
    return chat;
  }

  it("asks once, as soon as it has a page, and gives back what cannot be asked beside that", async () => {
    await view.ask("the first", []);
    await view.ask("the second", []);
    assert.deepEqual((await view.current()).session.transcript.turns, []);
    const panel = await resolve();
    const first = await answered();
    const closed = new Promise((done) => panel.onDidDispose(done));
    panel.dispose();
    await closed;
    await resolve();
    await view.ask("the third", []);
    const third = await answered();
    assert.notEqual(third.id, first.id);
    assert.deepEqual(
      [first, third].map(({ title }) => title),
      ["the first", "the third"],
    );
    assert.equal(first.session.transcript.turns.length, 2);
    assert.equal(loaded.kept.draftOf(first.id), "the second");
    assert.equal(service.journal.answers.length, 2);
  });
});
