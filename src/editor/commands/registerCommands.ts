import * as vscode from "vscode";
import type { CommandId } from "../../contributions.ts";
import {
  type CommandGroup,
  commandGroups,
  type CommandHandler,
  type CommandTables,
} from "../shared/commandGroups.ts";

type Load = () => Promise<{ readonly commands: CommandTables }>;

/** Registers all commands. What a script's call throws goes back to the script; to a person it is said. */
export function registerCommands(load: Load): vscode.Disposable {
  const registrations = commandGroups.flatMap(({ group, ids }) =>
    ids.map((id) => vscode.commands.registerCommand(id, handlerOf(group, id, load))),
  );
  return vscode.Disposable.from(...registrations);
}

function handlerOf(group: CommandGroup, id: CommandId, load: Load): CommandHandler {
  return async (...values) => {
    const { commands } = await load();
    const table: Readonly<Partial<Record<CommandId, CommandHandler>>> = await commands[group]();
    return table[id]?.(...values);
  };
}
