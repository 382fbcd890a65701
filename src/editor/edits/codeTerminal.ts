import * as vscode from "vscode";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { isShellLanguage, readShellCommand, type ShellCommand } from "../../chat/code/shellCommand.ts";
import { showWarning } from "../shared/notices.ts";

const terminalName = "Inference Chat";

/** Types commands into a terminal of its own: into no program that runs there, where the shell tells of it. */
export class CodeTerminal implements vscode.Disposable {
  /** Those it has made; of others nobody knows what runs there. */
  readonly #own = new Set<vscode.Terminal>();
  readonly #busy = new Set<vscode.Terminal>();
  readonly #subscription = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal }) => void this.#busy.add(terminal)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal }) => void this.#busy.delete(terminal)),
    vscode.window.onDidCloseTerminal((terminal) => {
      this.#own.delete(terminal);
      this.#busy.delete(terminal);
    }),
  );

  /** Asks with the exact command before. Never in an untrusted workspace. */
  async run(block: CodeBlockText): Promise<void> {
    if (!isShellLanguage(block.language)) return;
    if (!vscode.workspace.isTrusted) return refuseUntrusted();
    const command = await agreedCommand(block);
    if (command === undefined) return;
    const terminal = this.#idle() ?? vscode.window.createTerminal({ name: terminalName });
    this.#own.add(terminal);
    terminal.show(true);
    terminal.sendText(command, true);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #idle(): vscode.Terminal | undefined {
    return [...this.#own].find((terminal) => terminal.exitStatus === undefined && !this.#busy.has(terminal));
  }
}

/** The text that the user has seen and agreed to; undefined where there is none. */
async function agreedCommand(block: CodeBlockText): Promise<string | undefined> {
  const command = readShellCommand(block);
  if (command.kind === "refused") {
    void showWarning(reasonOf(command.why));
    return undefined;
  }
  const { text, lines } = command;
  const shown = showInvisible(text);
  const run = vscode.l10n.t("Run");
  const message =
    lines === 1
      ? vscode.l10n.t("Run this command in a terminal?")
      : vscode.l10n.t("Run these {0} lines in a terminal, one after the other?", lines);
  const warning = vscode.l10n.t(
    "It contains invisible characters, shown here as [U+...]. A command that hides something is best not run.",
  );
  const detail = shown === text ? text : `${shown}\n\n${warning}`;
  return (await showWarning(message, { modal: true, detail }, run)) === run ? text : undefined;
}

async function refuseUntrusted(): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  const chosen = await showWarning(
    vscode.l10n.t("Commands of an answer are not run in Restricted Mode."),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

function reasonOf(why: Extract<ShellCommand, { readonly kind: "refused" }>["why"]): string {
  switch (why) {
    case "empty":
      return vscode.l10n.t("There is no command in this block.");
    case "too-long":
      return vscode.l10n.t(
        "This is too long to be shown before it runs. Save it as a new file, read it, and run that.",
      );
    case "tabs":
      return vscode.l10n.t(
        "This contains tabs, which a terminal takes for completion. Save it as a new file, read it, and run that.",
      );
    case "control-characters":
      return vscode.l10n.t(
        "This contains control characters, which a terminal takes for key presses. It is not run.",
      );
  }
}
