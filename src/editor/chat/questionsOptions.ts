import * as vscode from "vscode";
import type { AnswererChoice } from "../../chat/session/answerer.ts";
import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import { showInformation } from "../shared/notices.ts";
import { prepareQuestion, type QuestionPreparers } from "./prepareQuestion.ts";
import type { QuestionsOptions } from "./questions.ts";
import { chooseTarget, type QuestionTargetOptions } from "./questionTarget.ts";

export interface QuestionSources extends QuestionPreparers, QuestionTargetOptions {
  readonly chooseAnswerer: (
    connection: Connection,
    answer: AnswerTurn,
  ) => Promise<AnswererChoice | undefined>;
}

/** What questions are made of in the editor. */
export function createQuestionsOptions(sources: QuestionSources): QuestionsOptions {
  return {
    prepare: (...question) => prepareQuestion(sources, ...question),
    chooseTarget: (...question) => chooseTarget(sources, ...question),
    chooseAnswerer: async (answer) => {
      const connection = await requireConnection(sources.connections);
      return connection === undefined ? undefined : sources.chooseAnswerer(connection, answer);
    },
    connectionName: () => sources.connections.current?.name,
    tellMoved: () =>
      void showInformation(
        vscode.l10n.t(
          "Your question was not sent, since this workspace went on to another connection. It waits where you typed it.",
        ),
      ),
    tellNotContinued: () =>
      void showInformation(
        vscode.l10n.t(
          "A new chat knows nothing of the answer that was cut, so nothing was sent. Ask anew here.",
        ),
      ),
    continueText: vscode.l10n.t("Continue exactly where you stopped, without repeating anything."),
  };
}
