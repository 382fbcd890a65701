import type * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { ChatPages } from "../page/registerPage.ts";
import { type Loading, registerCommands } from "../shared/registration.ts";

export interface HistoryNeeds extends ChatPages {
  /** Loads the store alone: the list of chats opens before anything else is loaded. */
  readonly loadStore: () => Promise<ConversationStore>;
}

/** Registers the commands for the chat history, export, and import. */
export function registerHistory(context: vscode.ExtensionContext, { load }: Loading<HistoryNeeds>): void {
  registerCommands(context, "history", async () => {
    const needs = await load();
    const [{ historyCommands }] = await Promise.all([import("./historyCommands.ts"), needs.loadStore()]);
    return historyCommands(needs);
  });
}
