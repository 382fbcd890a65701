import * as vscode from "vscode";
import { findChanges, mapLines } from "../../text/lineChanges.ts";
import { promptText } from "../../chat/prompts/promptTemplates.ts";
import { readReview, type ReviewComment, reviewMessages } from "../../chat/edits/reviewComments.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { shownPath } from "../files/workspacePaths.ts";
import { showFailure } from "../failures/failureNotice.ts";
import { showInformation, showProgress } from "../shared/notices.ts";
import { textOf } from "../edits/proposal.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { answerFacts, type InPlaceAnswer, type InPlaceAnswers, waitText } from "./inPlaceAnswers.ts";
import { type EditTarget, targetNow } from "./editTarget.ts";
import { contextKeys, reviewController } from "../../contributions.ts";
import { showDocument } from "../shared/notebooks.ts";
import { offerUndo } from "../shared/offerUndo.ts";
import { setContext } from "../shared/registration.ts";

interface ReviewOptions {
  readonly answers: InPlaceAnswers;
  readonly connections: WorkspaceConnections;
  readonly loadThreads: () => ReviewThreads;
  /** Aborts all reviews. */
  readonly signal: AbortSignal;
  /** Shows an answer that can't be read as comments. */
  readonly showAnswer: (question: string, answer: InPlaceAnswer) => Promise<void>;
}

/** Asks for a review of part of a file and shows the comments at its lines. */
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
      title: vscode.l10n.t("Reviewing '{0}'...", name),
      cancellable: true,
    },
    (progress, token) =>
      answers.ask(
        { kind: "review" },
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
      vscode.l10n.t(
        "The review of '{0}' couldn't be shown as comments. It is shown in a new chat instead.",
        name,
      ),
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
    void showInformation(vscode.l10n.t("{0} found no issues in {1}. ({2})", answer.model, name, facts));
    return;
  }
  const shown = vscode.l10n.t("Show First Comment");
  const count = placed.length;
  const message =
    count === 1
      ? vscode.l10n.t("1 comment on {0}. ({1})", name, facts)
      : vscode.l10n.t("{0} comments on {1}. ({2})", count, name, facts);
  if ((await showInformation(message, shown)) !== shown) return;
  const position = new vscode.Position(Math.min(...placed.map((each) => each.start)), 0);
  await showDocument(document.uri, { selection: new vscode.Range(position, position) });
}

/** The place of a comment in a document: zero-based lines, `end` is exclusive. */
interface PlacedComment {
  readonly comment: ReviewComment;
  readonly start: number;
  readonly end: number;
}

/** Copy of a thread's contents, to create the thread again after its disposal. */
interface ThreadText {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
  readonly comments: readonly vscode.Comment[];
  readonly label: string | undefined;
  readonly contextValue: string | undefined;
  readonly state: vscode.CommentThreadState | undefined;
  readonly collapsibleState: vscode.CommentThreadCollapsibleState;
}

/** Review comments in VS Code's comment threads. They are not stored and disappear when the window closes. */
export class ReviewThreads implements vscode.Disposable {
  readonly #controller = vscode.comments.createCommentController(
    reviewController,
    vscode.l10n.t("Inference Review"),
  );
  readonly #threads = new Set<vscode.CommentThread>();

  show(document: vscode.TextDocument, author: string, placed: readonly PlacedComment[]): void {
    for (const { comment, start, end } of placed) {
      const last = Math.min(end, document.lineCount) - 1;
      const range = new vscode.Range(start, 0, last, document.lineAt(last).text.length);
      this.#open({
        uri: document.uri,
        range,
        comments: [
          {
            author: { name: author },
            body: new vscode.MarkdownString(withoutImages(comment.text)),
            mode: vscode.CommentMode.Preview,
          },
        ],
        label: severityText(comment.severity),
        contextValue: "open",
        state: vscode.CommentThreadState.Unresolved,
        collapsibleState: vscode.CommentThreadCollapsibleState.Expanded,
      });
    }
    this.#setContext();
  }

  resolve(thread: vscode.CommentThread): void {
    thread.state = vscode.CommentThreadState.Resolved;
    thread.contextValue = "resolved";
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  }

  dismiss(thread: vscode.CommentThread): void {
    this.#dismiss([thread], vscode.l10n.t("Dismissed the review comment."));
  }

  dismissAll(): void {
    const all = [...this.#threads];
    const [only] = all;
    if (only === undefined) return;
    if (all.length === 1) this.dismiss(only);
    else this.#dismiss(all, vscode.l10n.t("Dismissed {0} review comments.", all.length));
  }

  /** Returns the thread that a command received, if it is one of these. */
  find(value: unknown): vscode.CommentThread | undefined {
    return [...this.#threads].find((thread) => thread === value);
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #dismiss(threads: readonly vscode.CommentThread[], message: string): void {
    const kept = threads.map(
      ({ uri, range, comments, label, contextValue, state, collapsibleState }): ThreadText => {
        return { uri, range, comments, label, contextValue, state, collapsibleState };
      },
    );
    for (const thread of threads) {
      this.#threads.delete(thread);
      thread.dispose();
    }
    this.#setContext();
    offerUndo(message, async () => {
      for (const text of kept) this.#open(text);
      this.#setContext();
    });
  }

  #open({ uri, range, comments, ...look }: ThreadText): void {
    const place = range ?? new vscode.Range(0, 0, 0, 0);
    const thread = this.#controller.createCommentThread(uri, place, comments);
    this.#threads.add(Object.assign(thread, look, { canReply: false }));
  }

  #setContext(): void {
    setContext(contextKeys.hasReview, this.#threads.size > 0);
  }
}

function severityText(severity: ReviewComment["severity"]): string {
  switch (severity) {
    case "error":
      return vscode.l10n.t("Error");
    case "warning":
      return vscode.l10n.t("Warning");
    case "hint":
      return vscode.l10n.t("Hint");
  }
}

/** Escapes images: showing one would send a request to a server that the model has chosen. */
function withoutImages(text: string): string {
  return text.replaceAll("![", "!\\[");
}
