import * as vscode from "vscode";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import type { ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import { pdfRefusalText } from "../../chat/transcript/attachments.ts";
import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { confirmAskMode } from "../agent/chatModes.ts";
import { showRefusals } from "../attachments/gathered.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { reportError, showInformation, showWarning } from "../shared/notices.ts";
import type { Chat } from "./chat.ts";
import { destinationOf } from "./receiver.ts";
import { chooseForAnswer, mendingOf, requireReceiver, selectModel, verifyPdf } from "./selectReceiver.ts";
import type { CapAnswer } from "./spending.ts";

/** Dialogs and notices shown before a question is sent. */
export interface QuestionDialogs {
  /** Returns the connection to ask, asking the user if necessary. Undefined if the user selects none. */
  readonly requireConnection: (chat: Chat, choice?: ChatTargetChoice) => Promise<Connection | undefined>;
  /** Asks whether the conversation with connection `before` can go to connection `next`, which may have its name. */
  readonly confirmOtherConnection: (before: string, next: string) => Promise<CapAnswer>;
  /** Asks whether the conversation with the connection at `before` can go to origin `next`, its host now. */
  readonly confirmOtherHost: (connectionName: string, before: string, next: string) => Promise<CapAnswer>;
  /** Says why the mode cannot be used. Returns true if the question is to be sent in Ask mode instead. */
  readonly confirmAskMode: (
    chat: Chat,
    obstacle: ModeObstacle,
    choice?: ChatTargetChoice,
  ) => Promise<boolean>;
  /** Says that a PDF file needs a model that passed the PDF test. Offers to test the model. */
  readonly showPdfRefused: (chat: Chat, takesPdf: false | undefined, choice?: ChatTargetChoice) => void;
  readonly chooseChatTarget: (chat: Chat, answer: AnswerTurn) => Promise<ChatTargetChoice | undefined>;
  /** Shows what a prompt could not attach. */
  readonly showRefusals: (refusals: readonly string[]) => void;
  /** Tells the user that a message is back in the composer, because another connection or host is still answering. */
  readonly showStillAnswering: () => void;
  /** Tells the user that nothing was sent, because the chat switched to another connection, host or version. */
  readonly showMoved: () => void;
  /** Tells the user in a new chat that the cut answer is not continued there. */
  readonly showNotContinued: () => void;
  /**
   * Tells the user that the answer cannot go on: its connection no longer exists, another connection has its name, or
   * the connection no longer uses the origin `before`.
   */
  readonly showNotResumed: (
    connectionName: string,
    reason: { readonly kind: "gone" | "replaced" } | { readonly kind: "moved"; readonly before: string },
  ) => void;
  /** Tells the user that a text was not sent and is back in a chat that is no longer shown. */
  readonly showWaiting: () => void;
  /** Tells the user why the chat is not compacted: it has no answers yet, or an answer is arriving. */
  readonly showNotCompacted: (reason: "no-answers" | "arriving") => void;
  /** The question that asks for the rest of a cut answer, in the user's language. */
  readonly continueText: string;
}

/** Creates the dialogs and notices shown before a question is sent. */
export function createQuestionDialogs(sources: ModelSources): QuestionDialogs {
  return {
    requireConnection: (chat, choice) => requireReceiver(sources, chat, choice),
    confirmOtherConnection,
    confirmOtherHost,
    confirmAskMode: (chat, obstacle, choice) =>
      confirmAskMode(chat.mode, obstacle, mendingOf(sources, chat, choice)),
    showPdfRefused: (chat, takesPdf, choice) => reportError(showPdfRefused(sources, chat, takesPdf, choice)),
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
    showNotCompacted,
    continueText: vscode.l10n.t("Continue exactly where you stopped, without repeating anything."),
  };
}

/** Tells the user why the chat is not compacted. */
export function showNotCompacted(reason: "no-answers" | "arriving"): void {
  void showInformation(
    reason === "arriving"
      ? vscode.l10n.t("An answer is still arriving. Compact the chat when it has ended.")
      : vscode.l10n.t("This chat has no answers yet, so there is nothing to compact."),
  );
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
      "With Send Full Conversation, '{0}' receives all questions and answers of this chat.",
      next,
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
