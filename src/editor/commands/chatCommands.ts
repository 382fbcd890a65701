import * as vscode from "vscode";
import { commandIds, viewId } from "../../contributions.ts";
import type { ChatPanel } from "../chatPanel.ts";
import type { RequestLog } from "../requestLog.ts";
import type { CommandTable } from "./commandTable.ts";

/** The chat view and the log. */
export function chatCommands(loadPanel: () => Promise<ChatPanel>, log: RequestLog): CommandTable {
  return {
    [commandIds.openChat]: async () => {
      await showView();
      (await loadPanel()).focusComposer();
    },
    [commandIds.newChat]: async () => {
      await showView();
      (await loadPanel()).newChat();
    },
    [commandIds.showLog]: () => log.show(),
  };
}

async function showView(): Promise<void> {
  await vscode.commands.executeCommand(`${viewId}.focus`);
}
