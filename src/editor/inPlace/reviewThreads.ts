import * as vscode from "vscode";
import type { ReviewComment } from "../../chat/reviewComments.ts";
import { contextKeys, reviewController } from "../../contributions.ts";

/** Where a comment stands in a document: lines from 0, `end` behind the last. */
export interface PlacedComment {
  readonly comment: ReviewComment;
  readonly start: number;
  readonly end: number;
}

/** The comments of reviews, in the editor's own threads. They are in no file, and gone with the window. */
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
      const thread = this.#controller.createCommentThread(document.uri, range, [
        {
          author: { name: author },
          body: new vscode.MarkdownString(withoutImages(comment.text)),
          mode: vscode.CommentMode.Preview,
        },
      ]);
      thread.label = severityText(comment.severity);
      thread.canReply = false;
      thread.contextValue = "open";
      thread.state = vscode.CommentThreadState.Unresolved;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      this.#threads.add(thread);
    }
    this.#tell();
  }

  resolve(thread: vscode.CommentThread): void {
    thread.state = vscode.CommentThreadState.Resolved;
    thread.contextValue = "resolved";
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  }

  dismiss(thread: vscode.CommentThread): void {
    this.#threads.delete(thread);
    thread.dispose();
    this.#tell();
  }

  dismissAll(): void {
    for (const thread of this.#threads) this.dismiss(thread);
  }

  /** The thread that a command's argument is, if it is one of these. */
  find(value: unknown): vscode.CommentThread | undefined {
    return [...this.#threads].find((thread) => thread === value);
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #tell(): void {
    vscode.commands
      .executeCommand("setContext", contextKeys.hasReview, this.#threads.size > 0)
      .then(undefined, () => undefined);
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

/** A picture would be asked for at its server; what the model says must not do that. */
function withoutImages(text: string): string {
  return text.replaceAll("![", "!\\[");
}
