import * as vscode from "vscode";
import { showInvisible } from "../chat/invisibleCharacters.ts";
import type { CodeBlockText } from "../chat/panelProtocol.ts";
import { isShellLanguage, readShellCommand } from "../chat/shellCommand.ts";
import { showWarning } from "./notices.ts";

const terminalName = "Inference Chat";

/** Asks with the exact command, then types it into a terminal. Never in an untrusted workspace. */
export async function runInTerminal(block: CodeBlockText): Promise<void> {
  if (!isShellLanguage(block.language)) return;
  if (!vscode.workspace.isTrusted) return refuseUntrusted();
  const command = readShellCommand(block);
  if (command.kind === "refused") {
    void showWarning(reasonOf(command.why));
    return;
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
  if ((await showWarning(message, { modal: true, detail }, run)) !== run) return;
  const terminal = findTerminal() ?? vscode.window.createTerminal({ name: terminalName });
  terminal.show(true);
  terminal.sendText(text, true);
}

function findTerminal(): vscode.Terminal | undefined {
  return vscode.window.terminals.find(
    ({ name, exitStatus }) => name === terminalName && exitStatus === undefined,
  );
}

async function refuseUntrusted(): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  const chosen = await showWarning(
    vscode.l10n.t("Commands of an answer are not run in Restricted Mode."),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

function reasonOf(why: "empty" | "too-long" | "control-characters"): string {
  switch (why) {
    case "empty":
      return vscode.l10n.t("There is no command in this block.");
    case "too-long":
      return vscode.l10n.t(
        "This is too long to be shown before it runs. Save it as a new file, read it, and run that.",
      );
    case "control-characters":
      return vscode.l10n.t(
        "This contains control characters, which a terminal takes for key presses. It is not run.",
      );
  }
}
