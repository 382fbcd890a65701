import type { CommandId } from "../../contributions.ts";

/** A group of commands: what each id does when it is run. */
export type CommandTable = Partial<Record<CommandId, (...values: readonly unknown[]) => unknown>>;
