import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extensionId } from "../../src/contributions.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { ChatView } from "../../src/editor/page/chatView.ts";
import { hasTurns, type TestChat } from "./withChat.ts";

/** The chat view of a window with the test's chats, at first without a page. */
export interface TestChatView {
  readonly view: ChatView;
  /** Gives the view a page, as VS Code does when the view becomes visible. */
  readonly showPage: () => Promise<vscode.WebviewPanel>;
  /** Resolves with the chat in the view when it has an answer. */
  readonly answered: () => Promise<Chat>;
}

/** Adds hooks to the surrounding `describe`: each test has a view of the test's chats. */
export function withChatView(chat: TestChat): TestChatView {
  const owned: vscode.Disposable[] = [];
  let current: ChatView | undefined;
  const view = (): ChatView => current ?? assert.fail("There is no view before a test.");

  beforeEach(() => {
    current = createChatView(chat);
    owned.push(current);
  });
  afterEach(() => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
  });

  return {
    get view() {
      return view();
    },
    showPage: async () => {
      const panel = vscode.window.createWebviewPanel("viewed", "Chat", vscode.ViewColumn.Two);
      owned.push(panel);
      await givePage(view(), panel);
      return panel;
    },
    answered: async () => {
      const shown = await view().current();
      await hasTurns(shown, 2);
      return shown;
    },
  };
}

export function createChatView(chat: TestChat): ChatView {
  const { extensionUri } = vscode.extensions.getExtension(extensionId) ?? assert.fail();
  return new ChatView(extensionUri, () => Promise.resolve(chat.loaded));
}

type PageParts = Pick<vscode.WebviewView, "viewType" | "webview" | "onDidDispose">;

/** Makes a view show its page in this webview, which counts as visible. Returns the view as VS Code would give it. */
export async function givePage(
  view: ChatView,
  { viewType, webview, onDidDispose }: PageParts,
): Promise<vscode.WebviewView> {
  const resolved: vscode.WebviewView = {
    viewType,
    webview,
    onDidDispose,
    visible: true,
    onDidChangeVisibility: () => new vscode.Disposable(() => undefined),
    show: () => undefined,
  };
  await view.resolveWebviewView(resolved);
  return resolved;
}
