import * as vscode from "vscode";
import { showWarning } from "../shared/notices.ts";

/** Says so where fewer chats came back from the trash than had gone there. */
export function tellMissing(removed: number, restored: number): void {
  if (restored >= removed) return;
  void showWarning(
    vscode.l10n.t(
      "Not all came back: {0} of {1} deleted chats are no longer in the trash.",
      removed - restored,
      removed,
    ),
  );
}
