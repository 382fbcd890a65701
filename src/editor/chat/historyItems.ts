import * as vscode from "vscode";
import type { SearchMatch } from "../../chat/conversationSearch.ts";
import type { ConversationSummary } from "../../chat/conversationSummary.ts";
import { groupByDay } from "../../chat/groupByDay.ts";
import type { UnsentChat } from "./unsentChats.ts";

/** A line of the list of chats. */
export interface HistoryItem extends vscode.QuickPickItem {
  /** The chat that it opens. */
  readonly chatId?: string;
  readonly summary?: ConversationSummary;
}

export const buttons = {
  rename: { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Rename") },
  pin: { iconPath: new vscode.ThemeIcon("pin"), tooltip: vscode.l10n.t("Pin") },
  unpin: { iconPath: new vscode.ThemeIcon("pinned"), tooltip: vscode.l10n.t("Unpin") },
  discard: { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete Draft") },
  remove: { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete") },
} as const;

export function unsentItems(unsent: readonly UnsentChat[]): readonly HistoryItem[] {
  const items = unsent.map(({ id, title }) => ({
    label: plainLabel(title),
    description: vscode.l10n.t("Draft"),
    buttons: [buttons.discard],
    chatId: id,
  }));
  return section(vscode.l10n.t("Not sent yet"), items);
}

export function historyItems(
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
    chatId: summary.id,
    summary,
  };
}

function matchItem({ summary, snippet }: SearchMatch): HistoryItem {
  return {
    label: titleOf(summary),
    detail: `${snippet.before}${snippet.match}${snippet.after}`,
    // It is what was typed that was found, whether or not the title has it.
    alwaysShow: true,
    chatId: summary.id,
    summary,
  };
}

/** Icons are written `$(name)` in labels; a title is only a text. */
export function titleOf({ title }: ConversationSummary): string {
  return title === "" ? vscode.l10n.t("Untitled chat") : plainLabel(title);
}

function plainLabel(title: string): string {
  return title.replaceAll("$(", "$ (");
}

function dayName(daysAgo: number): string {
  if (daysAgo <= 0) return vscode.l10n.t("Today");
  if (daysAgo === 1) return vscode.l10n.t("Yesterday");
  if (daysAgo < 7) return vscode.l10n.t("Last 7 Days");
  return daysAgo < 30 ? vscode.l10n.t("Last 30 Days") : vscode.l10n.t("Older");
}
