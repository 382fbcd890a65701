import * as vscode from "vscode";
import type { SearchMatch } from "../../chat/conversationSearch.ts";
import type { ConversationStore, UndoRemoval } from "../../chat/conversationStore.ts";
import type { ConversationSummary } from "../../chat/conversationSummary.ts";
import { groupByDay } from "../../chat/groupByDay.ts";
import { tellError } from "../errorReason.ts";

/** Milliseconds that typing must pause before texts are searched. */
const searchPause = 150;
const mostMatches = 200;

interface HistoryItem extends vscode.QuickPickItem {
  readonly summary?: ConversationSummary;
}

export interface ChatHistoryOptions {
  readonly store: ConversationStore;
  /** Says that these are gone, so that what shows them can go on to another chat. */
  readonly onRemoved: (ids: readonly string[]) => Promise<void>;
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
    let matches: readonly SearchMatch[] = [];
    const render = (): void => {
      picker.items = historyItems(summaries, matches);
    };
    const refresh = async (): Promise<void> => {
      picker.busy = true;
      summaries = await this.#options.store.list();
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
      if (summaries.length === 0) picker.placeholder = vscode.l10n.t("There are no chats here yet");
      return await new Promise<string | undefined>((resolve) => {
        picker.onDidAccept(() => resolve(picker.selectedItems[0]?.summary?.id));
        picker.onDidHide(() => resolve(undefined));
      });
    } finally {
      search.stop();
      picker.dispose();
    }
  }

  /** Asks first; takes nothing away where it is cancelled. */
  async removeAll(): Promise<void> {
    const { store, onRemoved } = this.#options;
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
    const undo = await store.removeAll();
    await onRemoved(summaries.map(({ id }) => id));
    void offerUndo(vscode.l10n.t("{0} chats were deleted.", summaries.length), undo);
  }

  async #press({ summary }: HistoryItem, button: vscode.QuickInputButton): Promise<void> {
    if (summary === undefined) return;
    const { store, onRemoved } = this.#options;
    switch (button) {
      case buttons.rename:
        return this.#rename(summary);
      case buttons.pin:
      case buttons.unpin:
        await store.pin(summary.id, !summary.pinned);
        return undefined;
      case buttons.remove: {
        const undo = await store.remove(summary.id);
        await onRemoved([summary.id]);
        void offerUndo(vscode.l10n.t("The chat {0} was deleted.", titleOf(summary)), undo);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  async #rename(summary: ConversationSummary): Promise<void> {
    const title = await vscode.window.showInputBox({
      title: vscode.l10n.t("Rename Chat"),
      prompt: vscode.l10n.t("Empty gives it its first question's name again"),
      value: summary.title,
    });
    if (title === undefined) return;
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

const buttons = {
  rename: { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Rename") },
  pin: { iconPath: new vscode.ThemeIcon("pin"), tooltip: vscode.l10n.t("Pin") },
  unpin: { iconPath: new vscode.ThemeIcon("pinned"), tooltip: vscode.l10n.t("Unpin") },
  remove: { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete") },
} as const;

function historyItems(
  summaries: readonly ConversationSummary[],
  matches: readonly SearchMatch[],
): readonly HistoryItem[] {
  const pinned = summaries.filter((summary) => summary.pinned);
  const groups = new Map<string, HistoryItem[]>();
  const others = summaries.filter((summary) => !summary.pinned);
  for (const { daysAgo, conversations } of groupByDay(others, new Date())) {
    const label = dayName(daysAgo);
    const items = groups.get(label) ?? [];
    items.push(...conversations.map(historyItem));
    groups.set(label, items);
  }
  const found = matches.filter(({ turnId }) => turnId !== null);
  return [
    ...section(
      vscode.l10n.t("Pinned"),
      pinned.map((summary) => historyItem(summary)),
    ),
    ...[...groups].flatMap(([label, items]) => section(label, items)),
    ...section(vscode.l10n.t("Found in the text"), found.map(matchItem)),
  ];
}

function section(label: string, items: readonly HistoryItem[]): readonly HistoryItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function historyItem(summary: ConversationSummary): HistoryItem {
  const time = new Date(summary.updatedAt).toLocaleTimeString(undefined, { timeStyle: "short" });
  const unread = summary.skipped === 0 ? [] : [vscode.l10n.t("{0} lines unreadable", summary.skipped)];
  return {
    label: titleOf(summary),
    description: [...summary.connections, time, ...unread].join(" · "),
    buttons: [buttons.rename, summary.pinned ? buttons.unpin : buttons.pin, buttons.remove],
    summary,
  };
}

function matchItem({ summary, snippet }: SearchMatch): HistoryItem {
  return {
    label: titleOf(summary),
    detail: `${snippet.before}${snippet.match}${snippet.after}`,
    // It is what was typed that was found, whether or not the title has it.
    alwaysShow: true,
    summary,
  };
}

/** Icons are written `$(name)` in labels; a title is only a text. */
function titleOf({ title }: ConversationSummary): string {
  return title === "" ? vscode.l10n.t("Untitled chat") : title.replaceAll("$(", "$ (");
}

function dayName(daysAgo: number): string {
  if (daysAgo <= 0) return vscode.l10n.t("Today");
  if (daysAgo === 1) return vscode.l10n.t("Yesterday");
  if (daysAgo < 7) return vscode.l10n.t("Last 7 Days");
  return daysAgo < 30 ? vscode.l10n.t("Last 30 Days") : vscode.l10n.t("Older");
}

async function offerUndo(message: string, undo: UndoRemoval): Promise<void> {
  const back = vscode.l10n.t("Undo");
  try {
    if ((await vscode.window.showInformationMessage(message, back)) === back) await undo();
  } catch (error) {
    showError(error);
  }
}

function showError(error: unknown): void {
  tellError(error, (reason) => vscode.l10n.t("The chat history cannot be read or changed: {0}", reason));
}
