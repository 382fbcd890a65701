import * as vscode from "vscode";
import { tellError } from "./errorReason.ts";

/** Says what was done, with a way back for as long as the notification stands. */
export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  const label = vscode.l10n.t("Undo");
  const ask = async (): Promise<void> => {
    if ((await vscode.window.showInformationMessage(message, label)) === label) await undo();
  };
  ask().catch((error: unknown) =>
    tellError(error, (reason) => vscode.l10n.t("It could not be undone: {0}", reason)),
  );
}
