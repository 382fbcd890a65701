import * as vscode from "vscode";
import { chatEditorType, viewId } from "../../contributions.ts";
import type { LoadedChats } from "../chat/chats.ts";
import { type Loading, register, registerCommands } from "../shared/registration.ts";
import type { ChatEditors } from "./chatEditors.ts";
import type { ChatView } from "./chatView.ts";

export interface ChatPages {
  readonly loadChats: () => Promise<LoadedChats>;
  readonly view: ChatView;
  readonly editors: ChatEditors;
}

/** Registers the chat view, the chats in editor tabs, and their commands. */
export function registerPage(context: vscode.ExtensionContext, { load }: Loading<ChatPages>): void {
  register(
    context,
    vscode.window.registerWebviewViewProvider(viewId, {
      resolveWebviewView: async (view) => (await load()).view.resolveWebviewView(view),
    }),
  );
  register(
    context,
    vscode.window.registerWebviewPanelSerializer(chatEditorType, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await load()).editors.deserializeWebviewPanel(panel, state),
    }),
  );
  registerCommands(context, "page", async () =>
    (await import("./chatCommands.ts")).chatCommands(await load()),
  );
}
