import type * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { Spending } from "../chat/spending.ts";
import type { ConnectionHealth } from "../service/connectionHealth.ts";
import { afterStart, type Loading, register, registerCommands } from "../shared/registration.ts";
import { readSide } from "../workspace/settings.ts";
import type { SerializedMemento } from "../workspace/state.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { StatusBar } from "./statusBar.ts";

interface StatusBarNeeds {
  readonly connections: WorkspaceConnections;
  readonly health: ConnectionHealth;
  readonly workspaceState: SerializedMemento;
}

export interface StatusMenuNeeds extends StatusBarNeeds {
  readonly spending: Spending;
}

/** Registers the status bar item and its menu. */
export function registerStatusBar(
  context: vscode.ExtensionContext,
  { connections, health, workspaceState, load }: StatusBarNeeds & Loading<StatusMenuNeeds>,
): void {
  register(context, new StatusBar(connections, health));
  registerCommands(context, "statusBar", async () => {
    const { showStatusMenu } = await import("./statusMenu.ts");
    const { selectSide } = await import("./sideChoice.ts");
    return {
      [commandIds.showMenu]: async () => showStatusMenu(await load()),
      [commandIds.selectSide]: () => selectSide(readSide(), workspaceState),
    };
  });
  // The services tell the walkthrough which steps are done.
  afterStart(context, load);
  afterStart(context, async () => {
    const side = readSide();
    if (side === undefined) return;
    const { reportUnfinishedChange } = await import("./sideChoice.ts");
    await reportUnfinishedChange(side, workspaceState);
  });
}
