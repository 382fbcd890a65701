import * as vscode from "vscode";
import type { SearchMatch } from "../../chat/history/search/conversationSearch.ts";
import { hasWords } from "../../chat/history/search/nameSearch.ts";
import { type ConversationSummary, groupByDay } from "../../chat/history/log/conversationSummary.ts";
import type { UnsentChat } from "../chat/unsentTexts.ts";

interface Formats {
  readonly times: Intl.DateTimeFormat;
  readonly dates: Intl.DateTimeFormat;
}

let formats: Formats | undefined;

/**
 * Creates the date formats. Until then, lines show no times. The first format of a process takes 25 ms, which would
 * delay the first lines of the list.
 */
export function makeFormats(): void {
  formats ??= {
    times: new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "short" }),
    dates: new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium" }),
  };
}

/** A line of the list of chats. */
export interface HistoryItem extends vscode.QuickPickItem {
  /** The chat that this line opens. */
  readonly chatId?: string;
  readonly summary?: ConversationSummary;
  /** The turn whose text matched the search. The chat opens at this turn. */
  readonly turnId?: string;
  /** This line shows more lines instead of opening a chat. */
  readonly more?: true;
}

export const buttons = {
  rename: { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Rename") },
  pin: { iconPath: new vscode.ThemeIcon("pin"), tooltip: vscode.l10n.t("Pin") },
  unpin: { iconPath: new vscode.ThemeIcon("pinned"), tooltip: vscode.l10n.t("Unpin") },
  discard: { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete Draft") },
  remove: { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete") },
} as const;

/** The drafts whose line contains every typed word. */
export function unsentItems(unsent: readonly UnsentChat[], typed: string): readonly HistoryItem[] {
  const description = vscode.l10n.t("Draft");
  const found = unsent.filter(({ title }) => hasWords(`${title}\n${description}`, typed));
  const items = found.map(({ id, title }) => ({
    label: plainLabel(title),
    description,
    buttons: [buttons.discard],
    alwaysShow: true,
    chatId: id,
  }));
  return section(vscode.l10n.t("Not sent yet"), items);
}

/** Groups chats by day, after the pinned chats. The caller has already filtered the chats by name. */
export function historyItems(summaries: readonly ConversationSummary[]): readonly HistoryItem[] {
  const pinned = summaries.filter((summary) => summary.pinned);
  const groups = new Map<string, HistoryItem[]>();
  const others = summaries.filter((summary) => !summary.pinned);
  for (const { daysAgo, conversations } of groupByDay(others, new Date())) {
    const label = dayName(daysAgo);
    const items = groups.get(label) ?? [];
    items.push(...conversations.map((summary) => historyItem(summary, daysAgo)));
    groups.set(label, items);
  }
  return [
    ...section(
      vscode.l10n.t("Pinned"),
      pinned.map((summary) => historyItem(summary, Infinity)),
    ),
    ...[...groups].flatMap(([label, items]) => section(label, items)),
  ];
}

export function matchItems(matches: readonly SearchMatch[]): readonly HistoryItem[] {
  return section(vscode.l10n.t("Found in messages"), matches.map(matchItem));
}

/** @param count number of lines that are not shown */
export function moreItem(count: number): HistoryItem {
  return { label: vscode.l10n.t("Show {0} More", count), alwaysShow: true, more: true };
}

function section(label: string, items: readonly HistoryItem[]): readonly HistoryItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function historyItem(summary: ConversationSummary, daysAgo: number): HistoryItem {
  const format = daysAgo <= 1 ? formats?.times : formats?.dates;
  const { skipped } = summary;
  const lines =
    skipped === 1
      ? vscode.l10n.t("1 line of this chat can't be read")
      : vscode.l10n.t("{0} lines of this chat can't be read", skipped);
  const unread = skipped === 0 ? [] : [lines];
  const time = format === undefined ? [] : [format.format(new Date(summary.updatedAt))];
  return {
    label: titleOf(summary),
    description: [...targetOf(summary), ...time, ...unread].join(" · "),
    buttons: [buttons.rename, summary.pinned ? buttons.unpin : buttons.pin, buttons.remove],
    // Already matched by all typed words in any order, so VS Code must not filter this line again.
    alwaysShow: true,
    chatId: summary.id,
    summary,
  };
}

/** The connection and model of the chat's next question, then other connections that have answered in it. */
function targetOf({ target, connections }: ConversationSummary): readonly string[] {
  if (target === undefined) return connections;
  return [target.connection, target.model, ...connections.filter((name) => name !== target.connection)];
}

function matchItem({ summary, turnId, snippet }: SearchMatch): HistoryItem {
  return {
    label: titleOf(summary),
    detail: plainLabel(`${snippet.before}${snippet.match}${snippet.after}`),
    // The search matched a message, so VS Code must not filter this line by its title.
    alwaysShow: true,
    chatId: summary.id,
    summary,
    ...(turnId === null ? {} : { turnId }),
  };
}

/** Returns a chat's title as a label, in which `$(name)` does not become an icon. */
export function titleOf({ title }: ConversationSummary): string {
  return title === "" ? vscode.l10n.t("Untitled chat") : plainLabel(title);
}

function plainLabel(title: string): string {
  return title.replaceAll("$(", "$ (");
}

function dayName(daysAgo: number): string {
  if (daysAgo <= 0) return vscode.l10n.t("Today");
  if (daysAgo === 1) return vscode.l10n.t("Yesterday");
  if (daysAgo < 7) return vscode.l10n.t("Last 7 days");
  return daysAgo < 30 ? vscode.l10n.t("Last 30 days") : vscode.l10n.t("Older");
}
