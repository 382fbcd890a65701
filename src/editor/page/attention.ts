import * as vscode from "vscode";
import { type TranscriptEvent, waitsForUser } from "../../chat/transcript/transcript.ts";
import { commandIds } from "../../contributions.ts";
import type { Chat } from "../chat/chat.ts";
import { showInformation, showThrown } from "../shared/notices.ts";
import type { ChatEditors } from "./chatEditors.ts";
import type { ChatView } from "./chatView.ts";

/** The places that show chats. */
interface ChatPlaces {
  readonly view: Pick<ChatView, "sees" | "open" | "showBadge" | "onDidChangeSeen">;
  readonly editors: Pick<ChatEditors, "sees" | "reveal" | "onDidChangeSeen">;
}

/** Opens a chat in the place that shows it, or else in the view. */
export async function openWhereShown({ view, editors }: ChatPlaces, chat: Chat): Promise<void> {
  if (!editors.reveal(chat)) await view.open(chat);
}

/**
 * Tells the user about chats that wait for a decision and are not on the screen. The view gets a badge, which VS Code
 * shows only if the view has been open in this window. So there is a status bar item too. If the window is not in
 * front, a notification follows.
 */
export class Attention implements vscode.Disposable {
  readonly #places: ChatPlaces;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** The chats that wait for the user, on the screen or not. The one that waits longest comes first. */
  readonly #waiting = new Set<Chat>();
  #item: vscode.StatusBarItem | undefined;

  constructor(places: ChatPlaces) {
    this.#places = places;
    this.#subscriptions = [places.view, places.editors].map((place) =>
      place.onDidChangeSeen(() => this.#update()),
    );
  }

  /** To be called after these events of a chat. */
  note(chat: Chat, events: readonly TranscriptEvent[]): void {
    const waited = this.#waiting.has(chat);
    const waits = waitsForUser(chat.session.transcript);
    if (waits === waited) return;
    if (waits) this.#waiting.add(chat);
    else this.#waiting.delete(chat);
    this.#update();
    const asks = events.some(({ type }) => type === "call-asks" || type === "paused");
    if (waits && asks && !vscode.window.state.focused) this.#notify(chat);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#item?.dispose();
  }

  #update(): void {
    const { view, editors } = this.#places;
    const unseen = [...this.#waiting].filter((chat) => !view.sees(chat) && !editors.sees(chat));
    view.showBadge(unseen.length, waitingText(unseen.length));
    const [first] = unseen;
    if (first === undefined) {
      this.#item?.hide();
      return;
    }
    const item = (this.#item ??= createItem());
    item.text = `$(bell-dot) ${
      unseen.length === 1
        ? vscode.l10n.t("Chat waits for you")
        : vscode.l10n.t("{0} chats wait for you", unseen.length)
    }`;
    item.tooltip = waitingText(unseen.length);
    item.accessibilityInformation = { label: waitingText(unseen.length), role: "button" };
    item.command = {
      command: commandIds.openChat,
      title: vscode.l10n.t("Open Chat"),
      arguments: [first.id],
    };
    item.show();
  }

  #notify(chat: Chat): void {
    const open = vscode.l10n.t("Open Chat");
    showInformation(waitingText(1), open)
      .then((chosen) => (chosen === open ? openWhereShown(this.#places, chat) : undefined))
      .then(undefined, showThrown);
  }
}

function waitingText(count: number): string {
  return count === 1
    ? vscode.l10n.t("The chat waits for your decision.")
    : vscode.l10n.t("{0} chats wait for your decision.", count);
}

/** Stands to the left of the item with the connection. */
function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem("inference.waiting", vscode.StatusBarAlignment.Right, 91);
  item.name = vscode.l10n.t("Waiting Chats");
  item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  return item;
}
