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

/** What is to be done where removed chats are taken back. */
interface RemovalUndo {
  /** Gives them back what they held unsent. */
  readonly restore: () => void;
  /** Shows those that are there again where they were on the screen. */
  readonly reopen: () => Promise<void>;
}

interface ChatHistoryOptions {
  readonly store: ConversationStore;
  /** Takes stored keys out of a text. */
  readonly cleanText: (text: string) => Promise<string>;
  /** The chats in which nothing was asked yet. */
  readonly unsent: () => Promise<readonly UnsentChat[]>;
  /** Says that these are about to go, so that nothing is written to them any longer. */
  readonly onRemove: (ids: readonly string[]) => Promise<void>;
  /** Says that these are gone, so that what shows them can go on to another chat. */
  readonly onRemoved: (ids: readonly string[]) => Promise<RemovalUndo>;
  readonly onRenamed: (id: string, title: string) => Promise<void>;
}

/** What is done with the chats of before, each change with a way back. */
export class ChatHistory {
  readonly #options: ChatHistoryOptions;

  constructor(options: ChatHistoryOptions) {
    this.#options = options;
  }

  /** Resolves to undefined where none was chosen. */
  async pick(): Promise<PickedChat | undefined> {
    const { store, unsent } = this.#options;
    const list = new HistoryList({ store, unsent, press: (item, button) => this.#press(item, button) });
    try {
      return await list.pick();
    } finally {
      list.dispose();
    }
  }

  /** Asks first; takes nothing away where it is cancelled. */
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

  /** Where it was sent since the list was drawn, it is a chat by now, and only its line is. */
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
    // A name goes into files, tabs and exports.
    const title = await this.#options.cleanText(typed);
    await this.#options.store.rename(summary.id, title);
    await this.#options.onRenamed(summary.id, title.trim());
  }
}

/** What cannot be brought back now may be later. */
async function undoRemoval(removed: number, undo: UndoRemoval, removalUndo: RemovalUndo): Promise<void> {
  const { restored, failures } = await withWholeProgress(vscode.l10n.t("Restoring chats"), undo());
  reportError(removalUndo.reopen());
  const [failure] = failures;
  if (failure === undefined) showMissing(removed, restored);
  // The notice may stand for long.
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
    "Restored only part of the chats: {0} of {1} deleted chats are still in the trash: {2}.",
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

/** Says so where fewer chats came back from the trash than had gone there. */
function showMissing(removed: number, restored: number): void {
  if (restored >= removed) return;
  void showWarning(
    vscode.l10n.t(
      "Restored only part of the chats: {0} of {1} deleted chats are no longer in the trash.",
      removed - restored,
      removed,
    ),
  );
}
