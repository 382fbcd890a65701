import * as vscode from "vscode";
import type { ReviewComment } from "../../chat/edits/reviewComments.ts";
import { contextKeys, reviewController } from "../../contributions.ts";
import { offerUndo } from "../shared/offerUndo.ts";

/** Where a comment stands in a document: lines from 0, `end` behind the last. */
export interface PlacedComment {
  readonly comment: ReviewComment;
  readonly start: number;
  readonly end: number;
}

/** All of a thread that outlives it. */
interface ThreadText {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
  readonly comments: readonly vscode.Comment[];
  readonly label: string | undefined;
  readonly contextValue: string | undefined;
  readonly state: vscode.CommentThreadState | undefined;
  readonly collapsibleState: vscode.CommentThreadCollapsibleState;
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
    this.#tell();
  }

  resolve(thread: vscode.CommentThread): void {
    thread.state = vscode.CommentThreadState.Resolved;
    thread.contextValue = "resolved";
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  }

  dismiss(thread: vscode.CommentThread): void {
    this.#dismiss([thread], vscode.l10n.t("The review comment was dismissed."));
  }

  dismissAll(): void {
    const all = [...this.#threads];
    const [only] = all;
    if (only === undefined) return;
    if (all.length === 1) this.dismiss(only);
    else this.#dismiss(all, vscode.l10n.t("{0} review comments were dismissed.", all.length));
  }

  /** The thread that a command's argument is, if it is one of these. */
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
    this.#tell();
    offerUndo(message, async () => {
      for (const text of kept) this.#open(text);
      this.#tell();
    });
  }

  #open({ uri, range, comments, ...look }: ThreadText): void {
    const place = range ?? new vscode.Range(0, 0, 0, 0);
    const thread = this.#controller.createCommentThread(uri, place, comments);
    this.#threads.add(Object.assign(thread, look, { canReply: false }));
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
