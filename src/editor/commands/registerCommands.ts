import * as vscode from "vscode";
import type { CommandTable } from "./commandTable.ts";

/** Registers commands. What a script's call throws goes back to the script; to a person it is said. */
export function registerCommands(...tables: readonly CommandTable[]): vscode.Disposable {
  const registrations = tables
    .flatMap((table) => Object.entries(table))
    .map(([id, handler]) => vscode.commands.registerCommand(id, handler));
  return vscode.Disposable.from(...registrations);
}
