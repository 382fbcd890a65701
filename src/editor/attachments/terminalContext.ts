import * as vscode from "vscode";
import { attached, type Gathered, refused } from "./gathered.ts";
import { TerminalSelection } from "./terminalSelection.ts";
import { createTextAttachment } from "./textAttachment.ts";

/** One for all that asks, since there is one clipboard. */
const selection = new TerminalSelection(vscode.env.clipboard, () =>
  vscode.commands.executeCommand("workbench.action.terminal.copySelection"),
);

/** What is selected in the active terminal. */
export async function gatherTerminal(): Promise<Gathered> {
  const terminal = vscode.window.activeTerminal;
  const selected = terminal === undefined ? undefined : await selection.read();
  if (terminal === undefined || selected === undefined || selected.trim() === "") {
    return refused(vscode.l10n.t("Nothing is selected in the terminal. Select some of its output first."));
  }
  return attached(
    createTextAttachment({
      kind: "terminal",
      name: vscode.l10n.t("Terminal: {0}", terminal.name),
      text: selected,
      detail: vscode.l10n.t("Selection in the terminal {0}", terminal.name),
    }),
  );
}
