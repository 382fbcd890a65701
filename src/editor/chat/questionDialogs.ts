import * as vscode from "vscode";
import { confirmAskMode } from "../agent/chatModes.ts";
import { showRefusals } from "../attachments/gathered.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { QuestionDialogs } from "./askQuestion.ts";
import { chooseForAnswer, mendingOf, requireReceiver } from "./selectReceiver.ts";
import type { CapAnswer } from "./spending.ts";

/** Creates the dialogs and notices shown before a question is sent. */
export function createQuestionDialogs(sources: ModelSources): QuestionDialogs {
  return {
    requireConnection: (chat, choice) => requireReceiver(sources, chat, choice),
    confirmOtherConnection,
    confirmOtherHost,
    confirmAskMode: (chat, obstacle, choice) =>
      confirmAskMode(chat.mode, obstacle, mendingOf(sources, chat, choice)),
    chooseChatTarget: (chat, answer) => chooseForAnswer(sources, chat, answer),
    showRefusals,
    showMoved: () =>
      void showInformation(
        vscode.l10n.t(
          "Nothing was sent because this chat now uses another connection or host, or shows another version.",
        ),
      ),
    showStillAnswering: () =>
      void showInformation(
        vscode.l10n.t(
          "Your message was not sent because another connection is still answering in this chat. The message is still in the text box. Send it when the answer has ended.",
        ),
      ),
    showNotContinued: () =>
      void showInformation(
        vscode.l10n.t(
          "A new chat can't continue an answer from another chat, so nothing was sent. Ask your question in the new chat.",
        ),
      ),
    showNotResumed: (...given) => void showInformation(notResumedText(...given)),
    showWaiting: () =>
      void showInformation(
        vscode.l10n.t(
          "Your question was not sent because you switched to another chat. The question is still in the text box of its chat.",
        ),
      ),
    showNothingToCompact: () =>
      void showInformation(vscode.l10n.t("This chat has no answers yet, so there is nothing to compact.")),
    continueText: vscode.l10n.t("Continue exactly where you stopped, without repeating anything."),
  };
}

function notResumedText(...[name, reason]: Parameters<QuestionDialogs["showNotResumed"]>): string {
  switch (reason.kind) {
    case "gone":
      return vscode.l10n.t(
        "Nothing was sent because this answer came from the connection '{0}', which no longer exists.",
        name,
      );
    case "replaced":
      return vscode.l10n.t(
        "Nothing was sent because this answer came from an earlier connection with the name '{0}'. Retry the answer instead.",
        name,
      );
    case "moved":
      return vscode.l10n.t(
        "Nothing was sent because this answer came from {0}, and the connection '{1}' now uses another host. Retry the answer instead.",
        reason.before,
        name,
      );
  }
}

function confirmOtherConnection(before: string, next: string): Promise<CapAnswer> {
  return confirmFullConversation(
    before === next
      ? vscode.l10n.t(
          "This chat used an earlier connection with the name '{0}'. Continue the chat with the new '{0}'?",
          next,
        )
      : vscode.l10n.t("This chat used '{0}'. Continue the chat with '{1}'?", before, next),
    vscode.l10n.t(
      "With Send Full Conversation, the new connection receives all questions and answers of this chat.",
    ),
  );
}

function confirmOtherHost(connectionName: string, before: string, next: string): Promise<CapAnswer> {
  return confirmFullConversation(
    vscode.l10n.t(
      "This chat used '{0}' at {1}. Continue the chat with '{0}' at {2}?",
      connectionName,
      before,
      next,
    ),
    vscode.l10n.t("With Send Full Conversation, {0} receives all questions and answers of this chat.", next),
  );
}

async function confirmFullConversation(message: string, detail: string): Promise<CapAnswer> {
  const fresh = vscode.l10n.t("Start New Chat");
  const together = vscode.l10n.t("Send Full Conversation");
  const chosen = await showWarning(message, { modal: true, detail }, fresh, together);
  switch (chosen) {
    case fresh:
      return "in-new-chat";
    case together:
      return "yes";
    default:
      return "no";
  }
}
