import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extensionId } from "../../src/contributions.ts";
import { ChatView } from "../../src/editor/chat/chatView.ts";
import { hasTurns, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

describe("the view of a chat", () => {
  const connection = withConnection();
  const chat = withChat(connection);
  const owned: vscode.Disposable[] = [];
  let view: ChatView;

  beforeEach(() => {
    const { extensionUri } = vscode.extensions.getExtension(extensionId) ?? assert.fail();
    view = new ChatView(extensionUri, () => Promise.resolve(chat.loaded));
    owned.push(view);
  });
  afterEach(() => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
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
    const shown = await view.current();
    await hasTurns(shown, 2);
    return shown;
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
    assert.equal(chat.loaded.kept.draftOf(first.id), "the second");
    assert.equal(connection.service.journal.answers.length, 2);
  });
});
