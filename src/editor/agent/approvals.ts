import * as vscode from "vscode";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { State } from "../workspace/state.ts";

const stateKey = "agent.allowedCommands";
/** Commands that are remembered. The oldest goes first. */
const maxCommands = 200;

/**
 * Commands that the user always allows in this workspace. VS Code keeps them in its own state, out of the
 * reach of the workspace and the model. A command must be the same as a whole.
 */
export class CommandApprovals {
  readonly #state: State;

  /** @param state the state of the workspace */
  constructor(state: State) {
    this.#state = state;
  }

  get commands(): readonly string[] {
    const stored = this.#state.get(stateKey);
    return Array.isArray(stored) ? stored.filter((command) => typeof command === "string") : [];
  }

  allows(command: string): boolean {
    return this.commands.includes(command);
  }

  async allow(command: string): Promise<void> {
    const others = this.commands.filter((each) => each !== command);
    await this.#state.update(stateKey, [...others, command].slice(-maxCommands));
  }

  async forgetAll(): Promise<void> {
    await this.#state.update(stateKey, undefined);
  }
}

/** Asks, then forgets the commands that are always allowed. */
export async function forgetApprovals(approvals: CommandApprovals): Promise<void> {
  const { commands } = approvals;
  if (commands.length === 0) {
    await showInformation(vscode.l10n.t("No commands are always allowed in this workspace."));
    return;
  }
  const forget = vscode.l10n.t("Forget");
  const message =
    commands.length === 1
      ? vscode.l10n.t("1 command is always allowed in this workspace. Forget it?")
      : vscode.l10n.t("{0} commands are always allowed in this workspace. Forget them?", commands.length);
  const detail = commands.map(showInvisible).join("\n");
  if ((await showWarning(message, { modal: true, detail }, forget)) === forget) await approvals.forgetAll();
}

/** Permissions for the rest of one answer. */
export class AnswerApprovals {
  #allowsEdits = false;
  #hasOutsideContent = false;

  /** Whether edits of ordinary files are made without a question. */
  get allowsEdits(): boolean {
    return this.#allowsEdits;
  }

  /** Whether the answer has read something from outside the workspace, which can hold instructions of strangers. */
  get hasOutsideContent(): boolean {
    return this.#hasOutsideContent;
  }

  allowEdits(): void {
    this.#allowsEdits = true;
  }

  /** From now on, edits ask again, and so do commands that are always allowed. */
  noteOutsideContent(): void {
    this.#allowsEdits = false;
    this.#hasOutsideContent = true;
  }
}
