import * as vscode from "vscode";
import { mapLines, findChanges } from "../../text/lineChanges.ts";
import { promptText } from "../../chat/prompts/promptTemplates.ts";
import { readReview, reviewMessages } from "../../chat/edits/reviewComments.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { shownPath } from "../files/workspacePaths.ts";
import { showFailure } from "../failures/failureNotice.ts";
import { showInformation, showProgress } from "../shared/notices.ts";
import { textOf } from "../edits/proposal.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { answerFacts, waitText } from "./answerTexts.ts";
import { type EditTarget, targetNow } from "./editTarget.ts";
import type { InPlaceAnswer, InPlaceAnswers } from "./inPlaceAnswers.ts";
import type { PlacedComment, ReviewThreads } from "./reviewThreads.ts";

export interface ReviewOptions {
  readonly answers: InPlaceAnswers;
  readonly connections: WorkspaceConnections;
  readonly loadThreads: () => ReviewThreads;
  /** Ends all reviews. */
  readonly signal: AbortSignal;
  /** Shows an answer that cannot be read as comments. */
  readonly showAnswer: (question: string, answer: InPlaceAnswer) => Promise<void>;
}

/** Has part of a file reviewed, and puts what is said of it to its lines. */
export async function review(options: ReviewOptions, found: EditTarget): Promise<void> {
  const { answers, connections } = options;
  const target = targetNow(found);
  const { document, start, end, name } = target;
  const [path, language] = [shownPath(document.uri), document.languageId];
  const messages = reviewMessages({ path, language, lines: target.text.split("\n"), start, end });
  if (!(await answers.mayAsk(messages))) return;
  const answer = await showProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Reviewing {0}", name),
      cancellable: true,
    },
    (progress, token) =>
      answers.ask(
        messages,
        { onWait: (wait) => progress.report({ message: wait === undefined ? "" : waitText(wait) }) },
        AbortSignal.any([toAbortSignal(token), options.signal]),
      ),
  );
  switch (answer.state.kind) {
    case "failed":
      return showFailure({ connectionName: answer.connection, connections }, answer.state.diagnosis, () =>
        review(options, target),
      );
    case "complete":
      return showReview(options, target, answer);
    case "stopped":
    case "interrupted":
      return;
  }
}

async function showReview(
  { loadThreads, showAnswer }: ReviewOptions,
  { document, start, name, text: before }: EditTarget,
  answer: InPlaceAnswer,
): Promise<void> {
  const comments = readReview(answer.text, before.split("\n"));
  if (comments === undefined) {
    void showInformation(
      vscode.l10n.t("The review of {0} could not be read as comments. It is in the chat.", name),
    );
    return showAnswer(promptText("review"), answer);
  }
  const changes = findChanges(before, textOf(document));
  const placed = comments.map((comment): PlacedComment => {
    const line = comment.line ?? start;
    const moved = mapLines({ start: line, end: comment.end ?? line + 1 }, changes);
    const first = Math.min(moved.start, document.lineCount - 1);
    return { comment, start: first, end: Math.max(moved.end, first + 1) };
  });
  const [first] = placed;
  if (first !== undefined) loadThreads().show(document, answer.model, placed);
  const facts = answerFacts(answer);
  if (first === undefined) {
    void showInformation(
      vscode.l10n.t("{0} found nothing to change in {1}. ({2})", answer.model, name, facts),
    );
    return;
  }
  const shown = vscode.l10n.t("Show First");
  const count = placed.length;
  const message =
    count === 1
      ? vscode.l10n.t("1 comment on {0}. ({1})", name, facts)
      : vscode.l10n.t("{0} comments on {1}. ({2})", count, name, facts);
  if ((await showInformation(message, shown)) !== shown) return;
  const position = new vscode.Position(Math.min(...placed.map((each) => each.start)), 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
