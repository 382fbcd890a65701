import * as vscode from "vscode";
import { type Transcript, type TranscriptEvent, waitsForUser } from "../../chat/transcript/transcript.ts";
import { showInformation, showThrown } from "../shared/notices.ts";

/** Tells the user about a chat that waits for a decision, if the user does not see it. */
export class Attention {
  readonly #open: () => Thenable<unknown>;
  #view: vscode.WebviewView | undefined;
  #isWaiting = false;

  /** @param open brings the chat to the front */
  constructor(open: () => Thenable<unknown>) {
    this.#open = open;
  }

  /** The view that gets the badge; undefined while there is none. */
  set view(view: vscode.WebviewView | undefined) {
    this.#view = view;
    this.update();
  }

  /** To be called with the chat's transcript after these events. */
  note(events: readonly TranscriptEvent[], transcript: Transcript): void {
    const wasWaiting = this.#isWaiting;
    this.#isWaiting = waitsForUser(transcript);
    this.update();
    const asks = events.some(({ type }) => type === "call-asks" || type === "paused");
    if (asks && this.#isWaiting && !wasWaiting && !vscode.window.state.focused) this.#notify();
  }

  /** Shows the badge only while the view is hidden. */
  update(): void {
    if (this.#view === undefined) return;
    const isHidden = this.#isWaiting && !this.#view.visible;
    this.#view.badge = isHidden
      ? { value: 1, tooltip: vscode.l10n.t("The chat waits for your decision.") }
      : undefined;
  }

  #notify(): void {
    const open = vscode.l10n.t("Open Chat");
    showInformation(vscode.l10n.t("The chat waits for your decision."), open)
      .then((chosen) => (chosen === open ? this.#open() : undefined))
      .then(undefined, showThrown);
  }
}
