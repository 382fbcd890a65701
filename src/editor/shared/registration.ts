import * as vscode from "vscode";
import { type contextKeys, roomCommands } from "../../contributions.ts";
import { lazy } from "./lazy.ts";

/** A room is wired at the start; what it needs of the services is built when it is first used. */
export interface Loading<Needs> {
  readonly load: () => Promise<Needs>;
}

type Room = keyof typeof roomCommands;
type RoomCommand<Name extends Room> = (typeof roomCommands)[Name][keyof (typeof roomCommands)[Name]] & string;

/** The commands of a room: what each does when it is run. */
export type CommandTable<Name extends Room> = {
  readonly [Id in RoomCommand<Name>]: (...values: readonly unknown[]) => unknown;
};

/** Disposed with the extension. */
export function register<T extends vscode.Disposable>(context: vscode.ExtensionContext, disposable: T): T {
  context.subscriptions.push(disposable);
  return disposable;
}

/**
 * Registers all commands of a room, whose table is read when the first of them is run. What a script's call throws goes
 * back to the script; to a person it is said.
 */
export function registerCommands<Name extends Room>(
  context: vscode.ExtensionContext,
  room: Name,
  read: () => Promise<CommandTable<Name>>,
): void {
  const table = lazy<Readonly<Record<string, (...values: readonly unknown[]) => unknown>>>(read);
  for (const id of Object.values(roomCommands[room])) {
    const run = async (...values: readonly unknown[]) => (await table())[id]?.(...values);
    register(context, vscode.commands.registerCommand(id, run));
  }
}

/** Milliseconds after the start, when the editor is done with its own. */
const idleTime = 1_000;

/** Does what nobody asks for, and says nothing of an error in it. */
export function afterStart(context: vscode.ExtensionContext, work: () => Promise<unknown>): void {
  const waiting = setTimeout(() => void work().catch(() => undefined), idleTime);
  register(context, { dispose: () => clearTimeout(waiting) });
}

/** Tells the editor what menus and the walkthrough depend on. */
export function setContext(key: (typeof contextKeys)[keyof typeof contextKeys], value: unknown): void {
  vscode.commands.executeCommand("setContext", key, value).then(undefined, () => undefined);
}

/** Scripts hand a command an object and want plain JSON back; people hand it nothing. */
export function isScriptArgument(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null;
}
