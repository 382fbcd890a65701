import * as vscode from "vscode";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import { pdfRefusalText } from "../../chat/transcript/attachments.ts";
import { confirmAskMode } from "../agent/chatModes.ts";
import { showRefusals } from "../attachments/gathered.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { QuestionDialogs } from "./askQuestion.ts";
import type { Chat } from "./chat.ts";
import { destinationOf } from "./receiver.ts";
import { chooseForAnswer, mendingOf, requireReceiver, selectModel, verifyPdf } from "./selectReceiver.ts";
import type { CapAnswer } from "./spending.ts";

/** Creates the dialogs and notices shown before a question is sent. */
export function createQuestionDialogs(sources: ModelSources): QuestionDialogs {
  return {
    requireConnection: (chat, choice) => requireReceiver(sources, chat, choice),
    confirmOtherConnection,
    confirmOtherHost,
    confirmAskMode: (chat, obstacle, choice) =>
      confirmAskMode(chat.mode, obstacle, mendingOf(sources, chat, choice)),
    showPdfRefused: (chat, takesPdf, choice) => void showPdfRefused(sources, chat, takesPdf, choice),
    chooseChatTarget: (chat, answer) => chooseForAnswer(sources, chat, answer),
    showRefusals,
    showMoved: () =>
      void showInformation(
        vscode.l10n.t(
          "Your question was not sent because this chat now uses another connection or shows another version. The question is still in the text box.",
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
    showNotResumed: (connectionName, before) =>
      void showInformation(
        before === undefined
          ? vscode.l10n.t(
              "Nothing was sent because this answer came from the connection '{0}', which no longer exists.",
              connectionName,
            )
          : vscode.l10n.t(
              "Nothing was sent because this answer came from {0}, and the connection '{1}' now uses another host. Retry the answer instead.",
              before,
              connectionName,
            ),
      ),
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

async function showPdfRefused(
  sources: ModelSources,
  chat: Chat,
  takesPdf: false | undefined,
  choice?: ChatTargetChoice,
): Promise<void> {
  const destination = destinationOf(sources, chat, choice);
  if (destination.kind !== "known") return;
  const verify = vscode.l10n.t("Verify Compatibility...");
  const select = vscode.l10n.t("Select Model");
  const buttons = takesPdf === undefined ? [verify, select] : [select];
  const text = pdfRefusalText(destination.receiver, takesPdf, vscode.l10n.t);
  const chosen = await showWarning(text, ...buttons);
  if (chosen === verify) await verifyPdf(sources, chat, choice);
  if (chosen === select) await selectModel(sources, chat);
}

function confirmOtherConnection(before: string, next: string): Promise<CapAnswer> {
  return confirmFullConversation(
    vscode.l10n.t("This chat used '{0}'. Continue the chat with '{1}'?", before, next),
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
