import * as vscode from "vscode";
import { wholeStart } from "../../text/cutText.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { State } from "../workspace/state.ts";
import type { OtherTools } from "./otherTools.ts";

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

/** Asks, then forgets the commands that are always allowed, and the tools that are allowed for this session. */
export async function forgetApprovals(approvals: CommandApprovals, others: OtherTools): Promise<void> {
  const { commands } = approvals;
  const tools = others.allowedTitles;
  if (commands.length + tools.length === 0) {
    await showInformation(vscode.l10n.t("No commands are always allowed in this workspace."));
    return;
  }
  const forget = vscode.l10n.t("Forget");
  const message =
    tools.length > 0
      ? vscode.l10n.t("Forget the commands and tools that are allowed without asking?")
      : commands.length === 1
        ? vscode.l10n.t("1 command is always allowed in this workspace. Forget it?")
        : vscode.l10n.t("{0} commands are always allowed in this workspace. Forget them?", commands.length);
  const detail = [...firstOf(commands), ...firstOf(tools)].join("\n");
  if ((await showWarning(message, { modal: true, detail }, forget)) !== forget) return;
  others.forgetAllowed();
  await approvals.forgetAll();
}

/** Lines of commands or tools in a dialog, which cannot scroll everywhere. */
const maxShown = 10;
/** UTF-16 units of such a line. */
const maxShownLength = 200;

function firstOf(names: readonly string[]): readonly string[] {
  const lines = names.slice(0, maxShown).map((name) => {
    const line = showInvisible(name);
    return line.length <= maxShownLength ? line : `${wholeStart(line, maxShownLength)}…`;
  });
  const others = names.length - lines.length;
  return others === 0 ? lines : [...lines, vscode.l10n.t("And {0} more", others)];
}

/** Permissions for the rest of one answer. */
export class AnswerApprovals {
  #allowsEdits = false;
  #outsideContents = 0;
  /** Hosts that the user has allowed for this answer, and whether they still are. */
  readonly #hosts = new Map<string, boolean>();

  /** Whether edits of ordinary files are made without a question. */
  get allowsEdits(): boolean {
    return this.#allowsEdits;
  }

  /** Whether the answer has read something from outside the workspace, which can hold instructions of strangers. */
  get hasOutsideContent(): boolean {
    return this.#outsideContents > 0;
  }

  /** Number of notes of content from outside. */
  get outsideContents(): number {
    return this.#outsideContents;
  }

  allowEdits(): void {
    this.#allowsEdits = true;
  }

  /** @param host with its port, if it is not the usual one */
  allowsHost(host: string): boolean {
    return this.#hosts.get(host) === true;
  }

  /** Whether the user has allowed the host for this answer, even if it asks again. */
  hasAllowedHost(host: string): boolean {
    return this.#hosts.has(host);
  }

  allowHost(host: string): void {
    this.#hosts.set(host, true);
  }

  /**
   * From now on, edits and commands ask again, even those that were allowed. So do all websites.
   *
   * @param fromHost the website of the content, which does not ask again
   */
  noteOutsideContent(fromHost?: string): void {
    this.#allowsEdits = false;
    this.#outsideContents += 1;
    for (const host of this.#hosts.keys()) if (host !== fromHost) this.#hosts.set(host, false);
  }
}
