import type { CommandId } from "../../contributions.ts";

/** A group of commands: what each id does when it is run. */
export type CommandTable = Partial<Record<CommandId, (...values: readonly unknown[]) => unknown>>;

/** Scripts hand a command an object and want plain JSON back; people hand it nothing. */
export function isScriptArgument(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null;
}
