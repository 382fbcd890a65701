import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import type { SearchMatch } from "../../chat/history/search/conversationSearch.ts";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { ConversationSummary } from "../../chat/history/log/conversationSummary.ts";
import { hasWords } from "../../chat/history/search/nameSearch.ts";
import { ActiveLine } from "../shared/activeLine.ts";
import { showErrorReason } from "../shared/notices.ts";
import { isOverWithin } from "../shared/abort.ts";
import {
  buttons,
  type HistoryItem,
  historyItems,
  makeFormats,
  matchItems,
  moreItem,
  unsentItems,
} from "./historyItems.ts";
import type { UnsentChat } from "../chat/unsentTexts.ts";

/** More lines than VS Code's list shows at once. */
const linesInSight = 20;
/** VS Code renders this many lines within a frame or two. All lines of a large history take seconds. */
const firstLines = 50;
/** Factor for the number of lines when the user asks for more. */
const growth = 4;
/** Maximum milliseconds to wait for the first lines before the list opens without them. */
const maxUnseenMs = 20;
/** Maximum milliseconds to wait until VS Code reports that it draws the first lines. */
const maxDrawingMs = 200;
/** Milliseconds from that report until the lines are on the screen. */
const painting = 50;
/** Milliseconds without a keystroke after which typing counts as finished. */
const typingEnd = 250;

interface HistoryListOptions {
  readonly store: ConversationStore;
  readonly unsent: () => Promise<readonly UnsentChat[]>;
  /** Runs the action of a line's button. */
  readonly press: (item: HistoryItem, button: vscode.QuickInputButton) => Promise<void>;
}

/** The chosen chat, and the turn that the search found. */
export interface PickedChat {
  readonly chatId: string;
  readonly turnId?: string;
}

/** The list of chats, newest first. Filters by name while the user types. Matches in messages follow. */
export class HistoryList implements vscode.Disposable {
  readonly #options: HistoryListOptions;
  readonly #picker = vscode.window.createQuickPick<HistoryItem>();
  readonly #line = new ActiveLine(this.#picker);
  readonly #texts: TextSearch;
  #summaries: readonly ConversationSummary[] = [];
  #unsent: readonly UnsentChat[] = [];
  #matches: readonly SearchMatch[] = [];
  #maxShown = firstLines;
  /** Whether another prompt covers the list. The list returns after that prompt. */
  #isCovered = false;
  /** ID of the chat whose line becomes active again after a prompt. Cleared when the user types or presses a button. */
  #returnsTo: string | undefined;
  #isOver = false;
  /** Number of pending reads. */
  #reading = 0;
  /** Time of the last keystroke by `performance.now()`, which never goes back. */
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HistoryListOptions) {
    this.#options = options;
    this.#texts = new TextSearch(options.store);
    const picker = this.#picker;
    picker.title = vscode.l10n.t("Chat History");
    picker.placeholder = vscode.l10n.t("Search titles and messages");
    picker.matchOnDescription = true;
    picker.ignoreFocusOut = true;
    picker.onDidChangeValue(() => this.#find());
    picker.onDidTriggerItemButton(({ item, button }) => {
      this.#press(item, button).catch(showHistoryError);
    });
  }

  /** Resolves to undefined if the user chooses no chat. */
  async pick(): Promise<PickedChat | undefined> {
    const picker = this.#picker;
    const chosen = new Promise<PickedChat | undefined>((resolve) => {
      picker.onDidAccept(() => {
        const { item } = this.#line;
        if (item?.more === true) this.#showMore();
        else if (item?.chatId !== undefined) resolve(pickedChat(item.chatId, item.turnId));
      });
      picker.onDidHide(() => {
        if (!this.#isCovered) resolve(undefined);
      });
    });
    // The user may choose a line or close the list before everything has been read.
    return Promise.race([chosen, this.#open().then(() => chosen)]);
  }

  dispose(): void {
    this.#isOver = true;
    this.#texts.stop();
    this.#picker.dispose();
  }

  async #open(): Promise<void> {
    const drawn = new Promise((resolve) => this.#picker.onDidChangeActive(resolve));
    await this.#showFirst();
    const { store } = this.#options;
    if (this.#summaries.length > 0) await isOverWithin(drawn, maxDrawingMs);
    await wait(painting);
    if (this.#isOver) return;
    makeFormats();
    await this.#refresh(() => store.listKnown());
    // Reading all files takes CPU time that VS Code needs to draw typed text.
    await this.#typingRests();
    if (this.#isOver) return;
    await this.#refresh(() => store.list());
    const isEmpty = this.#summaries.length === 0 && this.#unsent.length === 0;
    if (isEmpty) this.#picker.placeholder = vscode.l10n.t("No chats yet");
  }

  /** Opens the list together with its first lines, so that VS Code draws it only once. */
  async #showFirst(): Promise<void> {
    const rendered = this.#renderFirst();
    const isRendered = await isOverWithin(rendered, maxUnseenMs);
    // VS Code draws the progress bar before the lines, so show it only if the lines are late.
    if (!isRendered) this.#read(1);
    this.#picker.show();
    try {
      await rendered;
    } finally {
      if (!isRendered) this.#read(-1);
    }
  }

  async #renderFirst(): Promise<void> {
    this.#summaries = await this.#options.store.listFirst(linesInSight);
    this.#render();
  }

  async #press(item: HistoryItem, button: vscode.QuickInputButton): Promise<void> {
    this.#returnsTo = undefined;
    // The input box for the new name replaces the list.
    const covers = button === buttons.rename;
    if (covers) this.#isCovered = true;
    try {
      await this.#options.press(item, button);
    } finally {
      if (covers) this.#reopen(item);
    }
    await this.#refresh(() => this.#options.store.listKnown());
  }

  #reopen({ chatId }: HistoryItem): void {
    this.#isCovered = false;
    this.#returnsTo = chatId;
    this.#picker.show();
    // With the new name, the search may find the chat differently.
    this.#search();
  }

  async #typingRests(): Promise<void> {
    const left = (): number => this.#typedAt + typingEnd - performance.now();
    while (left() > 0 && !this.#isOver) await wait(left());
  }

  async #refresh(list: () => Promise<readonly ConversationSummary[]>): Promise<void> {
    this.#read(1);
    try {
      const summaries = await list();
      // Read the drafts after the slow listing: a draft may have been deleted by then.
      const drafts = await this.#options.unsent().catch(showUnsentError);
      this.#summaries = summaries;
      const stored = new Set(this.#summaries.map(({ id }) => id));
      // An earlier search may have found chats that have been removed since.
      this.#matches = this.#matches.filter(({ summary }) => stored.has(summary.id));
      this.#unsent = drafts.filter(({ id }) => !stored.has(id));
    } finally {
      this.#read(-1);
    }
    if (!this.#isOver) this.#render();
  }

  #find(): void {
    this.#typedAt = performance.now();
    this.#maxShown = firstLines;
    this.#returnsTo = undefined;
    const typed = this.#picker.value;
    // Enter opens the first match. Until the new search has results, show only earlier matches with all typed words.
    this.#matches = this.#matches.filter((match) => hasWords(foundText(match), typed));
    this.#render(false);
    this.#search();
  }

  #search(): void {
    this.#texts.start(this.#picker.value, {
      onBegin: () => this.#read(1),
      onEnd: () => this.#read(-1),
      onFound: (matches) => {
        this.#matches = matches;
        this.#render();
      },
      onError: showHistoryError,
    });
  }

  #showMore(): void {
    const shown = this.#picker.items.findIndex(({ more }) => more === true);
    this.#maxShown *= growth;
    this.#render();
    const { items } = this.#picker;
    this.#line.replace(
      items,
      items.slice(shown).find(({ kind }) => kind === undefined),
    );
  }

  /** Updates the items of the list. Leaves the same line active unless `staysOnLine` is false. */
  #render(staysOnLine = true): void {
    const picker = this.#picker;
    const named = this.#options.store.names.find(this.#summaries, picker.value, this.#maxShown);
    const found = this.#matches.filter(({ turnId }) => turnId !== null);
    const shown = found.slice(0, this.#maxShown);
    const more = named.more + found.length - shown.length;
    const active = staysOnLine ? this.#line.reported : undefined;
    picker.keepScrollPosition = active !== undefined;
    const items = [
      ...unsentItems(this.#unsent, picker.value),
      ...historyItems(named.conversations),
      ...matchItems(shown),
      ...(more > 0 ? [moreItem(more)] : []),
    ];
    const line = this.#lineOf(active, items);
    if (staysOnLine && this.#returnsTo === undefined) this.#line.renew(items, line);
    else this.#line.replace(items, line);
  }

  /** Finds the line to return to, or else the active line, among the new items. */
  #lineOf(active: HistoryItem | undefined, items: readonly HistoryItem[]): HistoryItem | undefined {
    const returnsTo = this.#returnsTo;
    const back = returnsTo === undefined ? undefined : items.find(({ chatId }) => chatId === returnsTo);
    return back ?? (active && items.find((each) => isSame(each, active)));
  }

  #read(change: 1 | -1): void {
    this.#reading += change;
    this.#picker.busy = this.#reading > 0;
  }
}

function isSame(one: HistoryItem, other: HistoryItem): boolean {
  if (one.more === true) return other.more === true;
  return one.chatId !== undefined && one.chatId === other.chatId && isFound(one) === isFound(other);
}

function isFound({ turnId }: HistoryItem): boolean {
  return turnId !== undefined;
}

function foundText({ summary, snippet }: SearchMatch): string {
  return `${summary.title}\n${snippet.before}${snippet.match}${snippet.after}`;
}

function pickedChat(chatId: string, turnId: string | undefined): PickedChat {
  return { chatId, ...(turnId === undefined ? {} : { turnId }) };
}

/** Reports the error. The list then shows the stored chats without drafts. */
function showUnsentError(error: unknown): readonly UnsentChat[] {
  showHistoryError(error);
  return [];
}

function showHistoryError(error: unknown): void {
  showErrorReason(error, (reason) => vscode.l10n.t("Can't read or update the chat history: {0}", reason));
}

/** Milliseconds that typing must pause before the search in messages starts. */
const pause = 150;
const maxMatches = 200;
/** Milliseconds between two lists of matches: VS Code redraws all lines for each list. */
const showsEach = 250;

interface TextSearchListener {
  readonly onBegin: () => void;
  /** Called once after each `onBegin`. */
  readonly onEnd: () => void;
  readonly onFound: (matches: readonly SearchMatch[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs one search at a time, which starts when typing pauses. */
class TextSearch {
  readonly #store: ConversationStore;
  #running = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  start(query: string, listener: TextSearchListener): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    if (query.trim().length < 2) {
      listener.onFound([]);
      return;
    }
    this.#timer = setTimeout(() => {
      listener.onBegin();
      this.#run(query, running.signal, listener).catch(listener.onError).finally(listener.onEnd);
    }, pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  async #run(query: string, signal: AbortSignal, { onFound }: TextSearchListener): Promise<void> {
    const matches: SearchMatch[] = [];
    let shownAt = Number.NEGATIVE_INFINITY;
    for await (const match of this.#store.search(query, signal)) {
      if (signal.aborted) return;
      matches.push(match);
      if (matches.length >= maxMatches) break;
      if (performance.now() - shownAt < showsEach) continue;
      shownAt = performance.now();
      onFound([...matches]);
    }
    if (!signal.aborted) onFound(matches);
  }
}
