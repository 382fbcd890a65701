import * as vscode from "vscode";
import { type Transcript, visibleTurns } from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { showWarning } from "../shared/notices.ts";

/**
 * Whether the conversation may be sent to this connection: one client's conversation goes to another
 * only if the user says so, else in a chat of its own.
 */
export async function mayGoTo(
  connection: Connection,
  transcript: Transcript,
): Promise<"yes" | "in-new-chat" | "no"> {
  const before = visibleTurns(transcript).findLast((turn) => turn.kind === "answer")?.connection;
  if (before === undefined || before === connection.name) return "yes";
  const fresh = vscode.l10n.t("Start New Chat");
  const together = vscode.l10n.t("Send Everything");
  const chosen = await showWarning(
    vscode.l10n.t("This conversation was with {0}. Send it to {1}?", before, connection.name),
    {
      modal: true,
      detail: vscode.l10n.t("With the question, all that was said before goes to the new connection."),
    },
    fresh,
    together,
  );
  switch (chosen) {
    case fresh:
      return "in-new-chat";
    case together:
      return "yes";
    default:
      return "no";
  }
}
