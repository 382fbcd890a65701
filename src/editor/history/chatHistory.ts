import * as vscode from "vscode";
import type { MoveFailure } from "../../chat/history/log/conversationFolder.ts";
import type { ConversationStore, UndoRemoval } from "../../chat/history/conversationStore.ts";
import type { ConversationSummary } from "../../chat/history/log/conversationSummary.ts";
import {
  localReasonOf,
  reportError,
  showErrorReason,
  showInformation,
  showWarning,
} from "../shared/notices.ts";
import { withWholeProgress } from "../shared/delayedProgress.ts";
import { offerUndo } from "../shared/offerUndo.ts";
import { buttons, type HistoryItem, titleOf } from "./historyItems.ts";
import { HistoryList, type PickedChat } from "./historyList.ts";
import type { UnsentChat } from "../chat/unsentTexts.ts";

/** Steps to take when removed chats are restored. */
interface RemovalUndo {
  /** Restores the unsent texts of the chats. */
  readonly restore: () => void;
  /** Shows the restored chats in their former places on the screen. */
  readonly reopen: () => Promise<void>;
}

interface ChatHistoryOptions {
  readonly store: ConversationStore;
  /** Removes stored keys from a text. */
  readonly cleanText: (text: string) => Promise<string>;
  /** Chats without a question that have a draft or attachments. */
  readonly unsent: () => Promise<readonly UnsentChat[]>;
  /** Called before a removal, so that nothing more is written to these chats. */
  readonly onRemove: (ids: readonly string[]) => Promise<void>;
  /** Called after a removal, so that pages that show these chats can switch to another chat. */
  readonly onRemoved: (ids: readonly string[]) => Promise<RemovalUndo>;
  readonly onRenamed: (id: string, title: string) => Promise<void>;
}

/** Lists, renames, pins, and deletes stored chats. The user can undo each deletion. */
export class ChatHistory {
  readonly #options: ChatHistoryOptions;

  constructor(options: ChatHistoryOptions) {
    this.#options = options;
  }

  /** Resolves to undefined if the user chooses no chat. */
  async pick(): Promise<PickedChat | undefined> {
    const { store, unsent } = this.#options;
    const list = new HistoryList({ store, unsent, press: (item, button) => this.#press(item, button) });
    try {
      return await list.pick();
    } finally {
      list.dispose();
    }
  }

  /** Asks for confirmation first. Removes nothing if the user cancels. */
  async removeAll(): Promise<void> {
    const { store, onRemove, onRemoved } = this.#options;
    const summaries = await store.list();
    if (summaries.length === 0) {
      await showInformation(vscode.l10n.t("No chats yet."));
      return;
    }
    const remove = vscode.l10n.t("Delete All");
    const chosen = await showWarning(
      summaries.length === 1
        ? vscode.l10n.t("Delete 1 chat?")
        : vscode.l10n.t("Delete all {0} chats?", summaries.length),
      { modal: true, detail: vscode.l10n.t("Deleted chats are kept for 30 days.") },
      remove,
    );
    if (chosen !== remove) return;
    const ids = summaries.map(({ id }) => id);
    await onRemove(ids);
    const deleting = store.removeAll(ids);
    const { removed, failures, undo } = await withWholeProgress(vscode.l10n.t("Deleting chats"), deleting);
    if (removed.length > 0) {
      const removalUndo = await onRemoved(removed);
      const deleted =
        removed.length === 1
          ? vscode.l10n.t("1 chat was deleted.")
          : vscode.l10n.t("{0} chats were deleted.", removed.length);
      offerUndo(deleted, async () => {
        removalUndo.restore();
        await undoRemoval(removed.length, undo, removalUndo);
      });
    }
    showNotDeleted(failures);
  }

  async #press({ chatId, label, summary }: HistoryItem, button: vscode.QuickInputButton): Promise<void> {
    if (chatId !== undefined && button === buttons.discard) return this.#discard(chatId, label);
    if (summary === undefined) return;
    const { store } = this.#options;
    switch (button) {
      case buttons.rename:
        return this.#rename(summary);
      case buttons.pin:
      case buttons.unpin:
        await store.pin(summary.id, !summary.pinned);
        return undefined;
      case buttons.remove:
        return this.#remove(summary);
      default:
        return undefined;
    }
  }

  /** Deletes a draft. If the user sent the draft after the list was drawn, deletes nothing. */
  async #discard(chatId: string, label: string): Promise<void> {
    const { unsent, onRemoved } = this.#options;
    if (!(await unsent()).some(({ id }) => id === chatId)) return;
    const { restore, reopen } = await onRemoved([chatId]);
    offerUndo(vscode.l10n.t("Deleted draft '{0}'.", label), async () => {
      restore();
      reportError(reopen());
    });
  }

  async #remove(summary: ConversationSummary): Promise<void> {
    const { store, onRemove, onRemoved } = this.#options;
    await onRemove([summary.id]);
    const undo = await store.remove(summary.id);
    const removalUndo = await onRemoved([summary.id]);
    offerUndo(vscode.l10n.t("Deleted chat '{0}'.", titleOf(summary)), async () => {
      removalUndo.restore();
      await undoRemoval(1, undo, removalUndo);
    });
  }

  async #rename(summary: ConversationSummary): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t("Rename Chat"),
      prompt: vscode.l10n.t("Leave empty to use the first question as the title"),
      value: summary.title,
      ignoreFocusOut: true,
    });
    if (typed === undefined) return;
    // Remove keys from the title, because it is used in files, tabs, and exports.
    const title = await this.#options.cleanText(typed);
    await this.#options.store.rename(summary.id, title);
    await this.#options.onRenamed(summary.id, title.trim());
  }
}

/** Restores removed chats. If some chats can't be restored, offers to try again. */
async function undoRemoval(removed: number, undo: UndoRemoval, removalUndo: RemovalUndo): Promise<void> {
  const { restored, failures } = await withWholeProgress(vscode.l10n.t("Restoring chats"), undo());
  reportError(removalUndo.reopen());
  const [failure] = failures;
  if (failure === undefined) showMissing(removed, restored);
  // Not awaited: the notice may stay open for a long time.
  else
    reportError(offerAgain(removed, failures.length, failure, () => undoRemoval(removed, undo, removalUndo)));
}

async function offerAgain(
  removed: number,
  missing: number,
  { error }: MoveFailure,
  tryAgain: () => Promise<void>,
): Promise<void> {
  const again = vscode.l10n.t("Try Again");
  const message = vscode.l10n.t(
    "Couldn't restore {0} of {1} deleted chats from the trash: {2}.",
    missing,
    removed,
    localReasonOf(error),
  );
  if ((await showWarning(message, again)) === again) await tryAgain();
}

function showNotDeleted(failures: readonly MoveFailure[]): void {
  const [first] = failures;
  if (first === undefined) return;
  showErrorReason(first.error, (reason) =>
    failures.length === 1
      ? vscode.l10n.t("Couldn't delete 1 chat: {0}.", reason)
      : vscode.l10n.t("Couldn't delete {0} chats: {1}.", failures.length, reason),
  );
}

/** Shows a warning if fewer chats were restored than deleted. */
function showMissing(removed: number, restored: number): void {
  if (restored >= removed) return;
  void showWarning(
    vscode.l10n.t(
      "Couldn't restore {0} of {1} deleted chats because they are no longer in the trash.",
      removed - restored,
      removed,
    ),
  );
}
