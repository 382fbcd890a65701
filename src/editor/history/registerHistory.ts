import type * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { ChatPages } from "../page/registerPage.ts";
import { type Loading, registerCommands } from "../shared/registration.ts";

export interface HistoryNeeds extends ChatPages {
  /** What the list begins with, before all else is there. */
  readonly loadStore: () => Promise<ConversationStore>;
}

/** The list of chats, and their export and import. */
export function registerHistory(context: vscode.ExtensionContext, { load }: Loading<HistoryNeeds>): void {
  registerCommands(context, "history", async () => {
    const needs = await load();
    const [{ historyCommands }] = await Promise.all([import("./historyCommands.ts"), needs.loadStore()]);
    return historyCommands(needs);
  });
}
