import * as vscode from "vscode";
import { type contextKeys, roomCommands } from "../../contributions.ts";
import { lazy } from "./lazy.ts";

/** A room is registered at the start. The services that it needs are created on first use. */
export interface Loading<Needs> {
  readonly load: () => Promise<Needs>;
}

type Room = keyof typeof roomCommands;
type RoomCommand<Name extends Room> = (typeof roomCommands)[Name][keyof (typeof roomCommands)[Name]] & string;

/** The commands of a room, with the function that each command runs. */
export type CommandTable<Name extends Room> = {
  readonly [Id in RoomCommand<Name>]: (...values: readonly unknown[]) => unknown;
};

/** Disposes the object together with the extension. */
export function register<T extends vscode.Disposable>(context: vscode.ExtensionContext, disposable: T): T {
  context.subscriptions.push(disposable);
  return disposable;
}

/**
 * Registers all commands of a room, whose table is loaded when the first of them runs. A script receives the error of
 * its command. For a user, VS Code shows the error.
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

/** Milliseconds after the start until VS Code has finished its own work. */
const idleTime = 1_000;

/** Runs background work after the start and ignores its errors. */
export function afterStart(context: vscode.ExtensionContext, work: () => Promise<unknown>): void {
  const waiting = setTimeout(() => void work().catch(() => undefined), idleTime);
  register(context, { dispose: () => clearTimeout(waiting) });
}

/** Sets a context key for menus or the walkthrough. */
export function setContext(key: (typeof contextKeys)[keyof typeof contextKeys], value: unknown): void {
  vscode.commands.executeCommand("setContext", key, value).then(undefined, () => undefined);
}

/** A script passes an object to a command and expects plain JSON. A user passes nothing. */
export function isScriptArgument(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null;
}
