import * as vscode from "vscode";
import type { Attachment } from "../../chat/attachments.ts";
import { tokensOf, usageOfChat } from "../../chat/cost.ts";
import { estimateAttachment } from "../../chat/tokenEstimate.ts";
import { type Transcript, visibleTurns } from "../../chat/transcript.ts";
import type { Connection } from "../../connection/connection.ts";
import { readTokenCap } from "../settings.ts";
import type { Spending } from "./spending.ts";

/** Characters of a token, where the question has not been counted yet. */
const charactersPerToken = 4;

export type CapAnswer = "yes" | "in-new-chat" | "no";

/** Asks before a chat or a day passes the tokens that the user allowed it; each time further by as many. */
export class TokenCaps {
  readonly #spending: Spending;
  /** By chat and by day: up to where the user has said yes. */
  readonly #allowed = new Map<string, number>();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  /** @param attachments those of the question that no answer has counted yet */
  async mayAsk(
    chatId: string,
    transcript: Transcript,
    connection: Connection,
    text: string,
    attachments: readonly Attachment[] = [],
  ): Promise<CapAnswer> {
    const next = expectedTokens(transcript, text, attachments);
    const { inputTokens, outputTokens } = usageOfChat(transcript);
    const chat = await this.#ask(
      `chat ${chatId}`,
      readTokenCap("chat"),
      inputTokens + outputTokens,
      next,
      (used, cap) =>
        vscode.l10n.t(
          "This chat has used {0} tokens; with the next question it passes your cap of {1}.",
          used,
          cap,
        ),
    );
    return chat === "yes" ? this.mayAskToday(connection, next) : chat;
  }

  /** For a request that belongs to no chat. */
  async mayAskOutsideOfChats(connection: Connection, characters: number): Promise<boolean> {
    return (await this.mayAskToday(connection, Math.ceil(characters / charactersPerToken))) === "yes";
  }

  /** Only the day's cap: `next` is what the question takes at least. */
  async mayAskToday(connection: Connection, next: number): Promise<CapAnswer> {
    const day = `day ${new Date().toDateString()} ${connection.name}`;
    const spent = this.#spending.today(connection.name);
    return this.#ask(day, readTokenCap("day"), spent, next, (used, cap) =>
      vscode.l10n.t(
        "{0} has used {1} tokens today; with the next question it passes your cap of {2}.",
        connection.name,
        used,
        cap,
      ),
    );
  }

  async #ask(
    what: string,
    cap: number | undefined,
    used: number,
    next: number,
    say: (used: string, cap: string) => string,
  ): Promise<CapAnswer> {
    if (cap === undefined || used + next <= (this.#allowed.get(what) ?? cap)) return "yes";
    const numbers = new Intl.NumberFormat(vscode.env.language);
    const send = vscode.l10n.t("Send Anyway");
    const fresh = vscode.l10n.t("Start New Chat");
    const isChat = what.startsWith("chat ");
    const chosen = await vscode.window.showWarningMessage(
      say(numbers.format(used), numbers.format(cap)),
      {
        modal: true,
        detail: vscode.l10n.t(
          "The cap is a setting of yours: inference.chat.{0}.",
          isChat ? "tokenCap" : "dailyTokenCap",
        ),
      },
      ...(isChat ? [send, fresh] : [send]),
    );
    if (chosen === fresh) return "in-new-chat";
    if (chosen !== send) return "no";
    this.#allowed.set(what, used + next + cap);
    return "yes";
  }
}

/** What the next question takes at least: all that is sent again, and itself. */
function expectedTokens(
  transcript: Transcript,
  text: string,
  attachments: readonly Attachment[] = [],
): number {
  const last = visibleTurns(transcript).findLast((turn) => turn.kind === "answer");
  const attached = attachments.reduce((sum, each) => sum + estimateAttachment(each, charactersPerToken), 0);
  return tokensOf(last?.usage) + Math.ceil(text.length / charactersPerToken) + attached;
}
