import * as vscode from "vscode";
import { showInformation } from "../shared/notices.ts";

export function tellItWaits(): void {
  void showInformation(
    vscode.l10n.t(
      "Your question was not sent, since you went on to another chat. It waits where you typed it.",
    ),
  );
}
