import * as vscode from "vscode";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import { type Connection, readModelName } from "../../connection/setup/connection.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { confirmAskMode } from "../agent/chatModes.ts";
import { showRefusals } from "../attachments/gathered.ts";
import { knownModels, type ModelItem, pickByModel } from "../models/modelPicker.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import { fallbackModel } from "../workspace/workspaceConnections.ts";
import type { QuestionDialogs } from "./askQuestion.ts";
import type { CapAnswer } from "./spending.ts";

/** Creates the dialogs and notices shown before a question is sent. */
export function createQuestionDialogs(sources: ModelSources): QuestionDialogs {
  return {
    requireConnection: () => requireConnection(sources.connections),
    confirmOtherConnection,
    confirmAskMode,
    chooseChatTarget: async (answer) => {
      const connection = await requireConnection(sources.connections);
      return connection === undefined ? undefined : chooseChatTarget(sources, connection, answer);
    },
    showRefusals,
    showMoved: () =>
      void showInformation(
        vscode.l10n.t(
          "Your question was not sent because this workspace now uses another connection. The question is still in the text box.",
        ),
      ),
    showNotContinued: () =>
      void showInformation(
        vscode.l10n.t(
          "A new chat can't continue an answer from another chat, so nothing was sent. Ask your question in the new chat.",
        ),
      ),
    showNotResumed: (connectionName) =>
      void showInformation(
        vscode.l10n.t(
          "Nothing was sent because this answer came from the connection '{0}'. Select that connection to resume it.",
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

async function confirmOtherConnection(before: string, next: string): Promise<CapAnswer> {
  const fresh = vscode.l10n.t("Start New Chat");
  const together = vscode.l10n.t("Send Full Conversation");
  const chosen = await showWarning(
    vscode.l10n.t("This chat used '{0}'. Continue the chat with '{1}'?", before, next),
    {
      modal: true,
      detail: vscode.l10n.t(
        "With Send Full Conversation, the new connection receives all questions and answers of this chat.",
      ),
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

/** Asks which model and client style to use for another answer. Undefined on Escape. */
async function chooseChatTarget(
  sources: ModelSources,
  connection: Connection,
  answer: AnswerTurn,
): Promise<ChatTargetChoice | undefined> {
  return pickByModel(sources, connection, {
    title: vscode.l10n.t("Ask Again With a Model of '{0}'", connection.name),
    placeholder: vscode.l10n.t(
      "Sends a billable request to the model you select. The chat keeps using {0}.",
      sources.connections.modelFor(connection),
    ),
    models: await knownModels(sources, connection),
    items: (models, typed) => targetItems(models, typed, answer),
    isActive: (choice) => !isOf(answer, choice),
  });
}

/** Lists the answer's own client style first, because users mostly want another model only. */
function targetItems(
  models: readonly Model[],
  typed: string,
  answer: AnswerTurn,
): readonly ModelItem<ChatTargetChoice>[] {
  const listed = models.length === 0 ? [{ id: fallbackModel }] : models;
  // A stored or imported answer's model can be something other than a model ID.
  const answered = readModelName(answer.model);
  const ids = [...new Set([...(answered === undefined ? [] : [answered]), ...listed.map(({ id }) => id)])];
  const styles = clientStyles.toSorted(
    (one, other) => Number(other === answer.clientStyle) - Number(one === answer.clientStyle),
  );
  return styles.flatMap((clientStyle, index) => [
    ...(index === 0 ? [] : [{ label: "", kind: vscode.QuickPickItemKind.Separator }]),
    ...ids.map((model) => targetItem({ model, clientStyle }, answer)),
    ...(typed === "" || ids.includes(typed) ? [] : [typedItem({ model: typed, clientStyle })]),
  ]);
}

function targetItem(choice: ChatTargetChoice, answer: AnswerTurn): ModelItem<ChatTargetChoice> {
  const made = isOf(answer, choice) ? [vscode.l10n.t("used for this answer")] : [];
  return { label: choice.model, description: [choice.clientStyle, ...made].join(" · "), choice };
}

function typedItem(choice: ChatTargetChoice): ModelItem<ChatTargetChoice> {
  const description = `${choice.clientStyle} · ${vscode.l10n.t("use this model ID")}`;
  return { label: choice.model, description, alwaysShow: true, choice };
}

function isOf(answer: AnswerTurn, { model, clientStyle }: ChatTargetChoice): boolean {
  return answer.model === model && answer.clientStyle === clientStyle;
}
