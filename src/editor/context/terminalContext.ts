import * as vscode from "vscode";
import { attached, type Gathered, refused } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";

/**
 * What is selected in the active terminal. There is no way to ask for it but the editor's copy command:
 * the text of the clipboard is put back afterwards; a picture in it is lost.
 */
export async function gatherTerminal(): Promise<Gathered> {
  const terminal = vscode.window.activeTerminal;
  const selected = terminal === undefined ? undefined : await copySelection();
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

/** Undefined where the command copied nothing. */
async function copySelection(): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const mark = crypto.randomUUID();
  try {
    await clipboard.writeText(mark);
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const copied = await clipboard.readText();
    return copied === mark ? undefined : copied;
  } finally {
    await clipboard.writeText(before);
  }
}
