import * as vscode from "vscode";
import { showInformation } from "../shared/notices.ts";
import type { Chat } from "../chat/chat.ts";

/**
 * Brings the branch of a turn onto the screen; false where there is none. While an answer arrives on another branch
 * that one stays, which is said: a branch that came by itself at the answer's end would take the next question.
 */
export function revealTurn({ session }: Chat, turnId: string): boolean {
  const isShown = session.reveal(turnId);
  if (!isShown && session.busy) {
    void showInformation(
      vscode.l10n.t(
        "What you chose is on another branch of this chat. It can be shown when the answer that is arriving has ended.",
      ),
    );
  }
  return isShown;
}
