import * as vscode from "vscode";
import { showWarning } from "../shared/notices.ts";

/** Asks whether an answer's text may go into a file that can have something done by itself. */
export async function askActing(uri: vscode.Uri): Promise<boolean> {
  const change = vscode.l10n.t("Change It");
  const message = vscode.l10n.t(
    "{0} can have programs run, or settings changed, by itself.",
    vscode.workspace.asRelativePath(uri),
  );
  const detail = vscode.l10n.t(
    "An answer asks for this change. Read every line of it before you let it be made.",
  );
  return (await showWarning(message, { modal: true, detail }, change)) === change;
}
