import * as v from "valibot";
import type { State } from "../workspace/state.ts";
import * as vscode from "vscode";
import {
  expectedNextRequest,
  expectedTokens,
  type QuestionToCount,
  spentInChat,
  spentOn,
} from "../../chat/session/spentTokens.ts";
import { emptyTranscript, type Transcript } from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { showWarning } from "../shared/notices.ts";
import { readTokenCap } from "../workspace/settings.ts";

const stateKey = "inference.tokensToday";

/** Tokens of one day, by connection name. Contains no text of a chat. */
const daySchema = v.object({
  day: v.string(),
  tokens: v.record(v.string(), v.pipe(v.number(), v.minValue(0))),
});

type Day = v.InferOutput<typeof daySchema>;

/** Counts each connection's tokens of the day, across windows. Estimates tokens that the service does not report. */
export class Spending {
  readonly #state: State;
  readonly #now: () => Date;

  constructor(state: State, now: () => Date) {
    this.#state = state;
    this.#now = now;
  }

  /** Returns the tokens used today, in the user's time zone. */
  today(connectionName: string): number {
    const { tokens } = this.#read();
    return Object.hasOwn(tokens, connectionName) ? (tokens[connectionName] ?? 0) : 0;
  }

  async add(connectionName: string, tokens: number): Promise<void> {
    const day = this.#read();
    const sum = this.today(connectionName) + tokens;
    await this.#state.update(stateKey, { ...day, tokens: { ...day.tokens, [connectionName]: sum } });
  }

  #read(): Day {
    const day = dayOf(this.#now());
    const parsed = v.safeParse(daySchema, this.#state.get(stateKey));
    return parsed.success && parsed.output.day === day ? parsed.output : { day, tokens: {} };
  }
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** Estimated characters per token, for requests outside chats. */
const charactersPerToken = 4;

export type CapAnswer = "yes" | "in-new-chat" | "no";

/**
 * Asks before a chat or day exceeds its token cap. After each consent, allows as many further tokens as the cap before
 * asking again.
 */
export class TokenCaps {
  readonly #spending: Spending;
  /** By chat, and by day and connection: the cap that the user agreed to exceed, and the new limit, in tokens. */
  readonly #allowed = new Map<string, { readonly cap: number; readonly upTo: number }>();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  async mayAsk(
    chatId: string,
    transcript: Transcript,
    connection: Connection,
    question: QuestionToCount,
  ): Promise<CapAnswer> {
    const next = expectedTokens(transcript, question);
    const chat = await this.#ask({
      what: `chat ${chatId}`,
      cap: readTokenCap("chat"),
      used: spentInChat(transcript),
      next,
    });
    if (chat === "no") return "no";
    // In a new chat, the question is sent without the conversation. It still counts toward the day.
    const today = chat === "yes" ? next : expectedTokens(emptyTranscript, question);
    return (await this.mayAskToday(connection, today)) === "yes" ? chat : "no";
  }

  /**
   * Checks both caps before the next request of a streaming answer.
   *
   * @param countedToday tokens of the answer that today's count contains already
   */
  async maySendNext(
    chatId: string,
    transcript: Transcript,
    connection: Connection,
    countedToday: number,
  ): Promise<boolean> {
    const { arriving } = transcript;
    const next = expectedNextRequest(transcript);
    const spent = arriving === null ? 0 : spentOn(transcript, arriving);
    const chat = await this.#ask({
      what: `chat ${chatId}`,
      cap: readTokenCap("chat"),
      used: spentInChat(transcript) + spent,
      next,
      isNextRequest: true,
    });
    if (chat !== "yes") return false;
    const used = this.#spending.today(connection.name) + spent - countedToday;
    return (await this.#askForToday(connection, used, next, true)) === "yes";
  }

  /** Checks the daily cap for a request outside chats. */
  async mayAskOutsideOfChats(connection: Connection, characters: number): Promise<boolean> {
    return (await this.mayAskToday(connection, Math.ceil(characters / charactersPerToken))) === "yes";
  }

  /** Checks only the daily cap. `next` is the minimum number of tokens of the question. */
  mayAskToday(connection: Connection, next: number): Promise<CapAnswer> {
    return this.#askForToday(connection, this.#spending.today(connection.name), next);
  }

  #askForToday(
    connection: Connection,
    used: number,
    next: number,
    isNextRequest = false,
  ): Promise<CapAnswer> {
    const what = `day ${new Date().toDateString()} ${connection.name}`;
    const cap = readTokenCap("day");
    return this.#ask({ what, cap, used, next, isNextRequest, connectionName: connection.name });
  }

  async #ask({
    what,
    cap,
    used,
    next,
    isNextRequest = false,
    connectionName,
  }: CapQuestion): Promise<CapAnswer> {
    const allowed = this.#allowed.get(what);
    if (cap === undefined || used + next <= (allowed?.cap === cap ? allowed.upTo : cap)) return "yes";
    const send = isNextRequest ? vscode.l10n.t("Continue") : vscode.l10n.t("Send Anyway");
    const fresh = vscode.l10n.t("Start New Chat");
    const isChat = connectionName === undefined;
    const chosen = await showWarning(
      capText(used, cap, isNextRequest, connectionName),
      {
        modal: true,
        detail: vscode.l10n.t(
          "You set this cap in inference.chat.{0}.",
          isChat ? "tokenCap" : "dailyTokenCap",
        ),
      },
      ...(isChat && !isNextRequest ? [send, fresh] : [send]),
    );
    if (chosen === undefined) return "no";
    if (chosen === fresh) return "in-new-chat";
    this.#allowed.set(what, { cap, upTo: used + next + cap });
    return "yes";
  }
}

interface CapQuestion {
  /** The chat, or the day and the connection. */
  readonly what: string;
  /** Tokens; undefined if there is no cap. */
  readonly cap: number | undefined;
  readonly used: number;
  /** The minimum number of tokens of the next request. */
  readonly next: number;
  /** Whether the request belongs to an answer that arrives. */
  readonly isNextRequest?: boolean;
  /** Absent for the cap of a chat. */
  readonly connectionName?: string;
}

function capText(used: number, cap: number, isNextRequest: boolean, connectionName?: string): string {
  const numbers = new Intl.NumberFormat(vscode.env.language);
  const [usedTokens, cappedAt] = [numbers.format(used), numbers.format(cap)];
  if (connectionName === undefined) {
    return isNextRequest
      ? vscode.l10n.t(
          "This chat has used {0} tokens. The next request would exceed your token cap of {1} for a chat.",
          usedTokens,
          cappedAt,
        )
      : vscode.l10n.t(
          "This chat has used {0} tokens. Your next question would exceed your token cap of {1} for a chat.",
          usedTokens,
          cappedAt,
        );
  }
  return isNextRequest
    ? vscode.l10n.t(
        "The connection '{0}' has used {1} tokens today. The next request would exceed your daily token cap of {2}.",
        connectionName,
        usedTokens,
        cappedAt,
      )
    : vscode.l10n.t(
        "The connection '{0}' has used {1} tokens today. Your next question would exceed your daily token cap of {2}.",
        connectionName,
        usedTokens,
        cappedAt,
      );
}
