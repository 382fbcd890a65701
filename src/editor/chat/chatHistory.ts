import * as vscode from "vscode";
import type { SearchMatch } from "../../chat/conversationSearch.ts";
import type { ConversationStore } from "../../chat/conversationStore.ts";
import type { ConversationSummary } from "../../chat/conversationSummary.ts";
import { tellError } from "../errorReason.ts";
import { offerUndo } from "../offerUndo.ts";
import { buttons, type HistoryItem, historyItems, titleOf, unsentItems } from "./historyItems.ts";
import type { UnsentChat } from "./unsentChats.ts";

/** Milliseconds that typing must pause before texts are searched. */
const searchPause = 150;
const mostMatches = 200;

export interface ChatHistoryOptions {
  readonly store: ConversationStore;
  /** Takes stored keys out of a text. */
  readonly cleanText: (text: string) => string;
  /** The chats in which nothing was asked yet. */
  readonly unsent: () => Promise<readonly UnsentChat[]>;
  /** Says that these are about to go, so that nothing is written to them any longer. */
  readonly onRemove: (ids: readonly string[]) => Promise<void>;
  /** Says that these are gone, so that what shows them can go on to another chat. Gives a way to bring back what they hold unsent. */
  readonly onRemoved: (ids: readonly string[]) => Promise<() => void>;
  readonly onRenamed: (id: string, title: string) => Promise<void>;
}

/** The list of chats: filtered by title as one types, with what is found in the texts behind. */
export class ChatHistory {
  readonly #options: ChatHistoryOptions;

  constructor(options: ChatHistoryOptions) {
    this.#options = options;
  }

  /** Resolves to the id of the chosen chat; undefined where none was chosen. */
  async pick(): Promise<string | undefined> {
    const picker = vscode.window.createQuickPick<HistoryItem>();
    const search = new TextSearch(this.#options.store);
    let summaries: readonly ConversationSummary[] = [];
    let unsent: readonly UnsentChat[] = [];
    let matches: readonly SearchMatch[] = [];
    const render = (): void => {
      picker.items = [...unsentItems(unsent), ...historyItems(summaries, matches)];
    };
    const refresh = async (): Promise<void> => {
      picker.busy = true;
      summaries = await this.#options.store.list();
      const stored = new Set(summaries.map(({ id }) => id));
      unsent = (await this.#options.unsent()).filter(({ id }) => !stored.has(id));
      picker.busy = false;
      render();
    };
    picker.title = vscode.l10n.t("Chat History");
    picker.placeholder = vscode.l10n.t("Type to find titles and texts");
    picker.matchOnDescription = true;
    picker.ignoreFocusOut = true;
    picker.onDidChangeValue((query) => {
      search.start(query, (found) => {
        matches = found;
        render();
      });
    });
    picker.onDidTriggerItemButton(({ item, button }) => {
      this.#press(item, button).then(refresh, showError);
    });
    picker.show();
    try {
      await refresh();
      if (picker.items.length === 0) picker.placeholder = vscode.l10n.t("There are no chats here yet");
      return await new Promise<string | undefined>((resolve) => {
        picker.onDidAccept(() => resolve(picker.selectedItems[0]?.chatId));
        picker.onDidHide(() => resolve(undefined));
      });
    } finally {
      search.stop();
      picker.dispose();
    }
  }

  /** Asks first; takes nothing away where it is cancelled. */
  async removeAll(): Promise<void> {
    const { store, onRemove, onRemoved } = this.#options;
    const summaries = await store.list();
    if (summaries.length === 0) {
      await vscode.window.showInformationMessage(vscode.l10n.t("There are no chats here yet."));
      return;
    }
    const remove = vscode.l10n.t("Delete All");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("Delete all {0} chats?", summaries.length),
      { modal: true, detail: vscode.l10n.t("They stay in the trash of this extension for 30 days.") },
      remove,
    );
    if (chosen !== remove) return;
    const ids = summaries.map(({ id }) => id);
    await onRemove(ids);
    const undo = await store.removeAll();
    const bringBack = await onRemoved(ids);
    offerUndo(vscode.l10n.t("{0} chats were deleted.", summaries.length), async () => {
      bringBack();
      await undo();
    });
  }

  async #press({ chatId, label, summary }: HistoryItem, button: vscode.QuickInputButton): Promise<void> {
    if (chatId !== undefined && button === buttons.discard) {
      const bringBack = await this.#options.onRemoved([chatId]);
      offerUndo(vscode.l10n.t("The draft {0} was deleted.", label), async () => bringBack());
    }
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

  async #remove(summary: ConversationSummary): Promise<void> {
    const { store, onRemove, onRemoved } = this.#options;
    await onRemove([summary.id]);
    const undo = await store.remove(summary.id);
    const bringBack = await onRemoved([summary.id]);
    offerUndo(vscode.l10n.t("The chat {0} was deleted.", titleOf(summary)), async () => {
      bringBack();
      await undo();
    });
  }

  async #rename(summary: ConversationSummary): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t("Rename Chat"),
      prompt: vscode.l10n.t("Empty gives it its first question's name again"),
      value: summary.title,
    });
    if (typed === undefined) return;
    // A name goes into files, tabs and exports.
    const title = this.#options.cleanText(typed);
    await this.#options.store.rename(summary.id, title);
    await this.#options.onRenamed(summary.id, title.trim());
  }
}

/** One search at a time, begun when typing pauses. */
class TextSearch {
  readonly #store: ConversationStore;
  #running = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  start(query: string, onFound: (matches: readonly SearchMatch[]) => void): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    if (query.trim().length < 2) {
      onFound([]);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#run(query, running.signal, onFound).catch(showError);
    }, searchPause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  async #run(
    query: string,
    signal: AbortSignal,
    onFound: (matches: readonly SearchMatch[]) => void,
  ): Promise<void> {
    const matches: SearchMatch[] = [];
    for await (const match of this.#store.search(query, signal)) {
      matches.push(match);
      if (matches.length === 1 || matches.length % 20 === 0) onFound([...matches]);
      if (matches.length >= mostMatches) break;
    }
    if (!signal.aborted) onFound(matches);
  }
}

function showError(error: unknown): void {
  tellError(error, (reason) => vscode.l10n.t("The chat history cannot be read or changed: {0}", reason));
}
