import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extensionId } from "../../src/contributions.ts";
import { ChatEditors } from "../../src/editor/page/chatEditors.ts";
import type { ChatView } from "../../src/editor/page/chatView.ts";
import { chatCommands } from "../../src/editor/page/chatCommands.ts";
import { historyCommands } from "../../src/editor/history/historyCommands.ts";
import { type SpokenPage, SpokenWebview } from "./spokenPage.ts";
import type { TestChat } from "./withChat.ts";
import { createChatView, givePage } from "./withChatView.ts";

type Commands = ReturnType<typeof chatCommands> & ReturnType<typeof historyCommands>;

/** The chat view of a window, its tabs, and the commands for both. */
export interface TestScreen {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  /** The page in the view. */
  readonly page: SpokenPage;
  /** The number on the view's icon. */
  readonly badge: vscode.ViewBadge | undefined;
  readonly run: (command: keyof Commands, ...given: readonly unknown[]) => Promise<void>;
}

/** Adds hooks to the surrounding `describe`: each test has a view with a page, and tabs, for the test's chats. */
export function withScreen(chat: TestChat): TestScreen {
  const owned: vscode.Disposable[] = [];
  let current:
    | (Pick<TestScreen, "view" | "editors" | "page"> & {
        readonly commands: Commands;
        readonly resolved: vscode.WebviewView;
      })
    | undefined;

  beforeEach(async () => {
    const { extensionUri } = vscode.extensions.getExtension(extensionId) ?? assert.fail();
    const loadChats = () => Promise.resolve(chat.loaded);
    const view = createChatView(chat);
    const editors = new ChatEditors(extensionUri, loadChats);
    const screen = { loadChats, loadStore: () => Promise.resolve(chat.loaded.store), view, editors };
    const commands = { ...chatCommands(screen), ...historyCommands(screen) };
    const said = new vscode.EventEmitter<unknown>();
    const webview = new SpokenWebview(said);
    owned.push(view, editors, said);
    const resolved = await givePage(view, {
      viewType: "spoken",
      webview,
      onDidDispose: () => new vscode.Disposable(() => undefined),
    });
    webview.page.say({ type: "ready" });
    current = { view, editors, page: webview.page, commands, resolved };
  });
  afterEach(async () => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const made = () => current ?? assert.fail("There is no screen before a test.");
  return {
    get view() {
      return made().view;
    },
    get editors() {
      return made().editors;
    },
    get page() {
      return made().page;
    },
    get badge() {
      return made().resolved.badge;
    },
    run: async (command, ...given) => {
      await made().commands[command](...given);
    },
  };
}
