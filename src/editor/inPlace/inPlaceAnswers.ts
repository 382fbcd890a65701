import { countCharacters, estimateMessages, usualRatio } from "../../chat/session/tokenEstimate.ts";
import { StreamingAnswer } from "../../chat/session/streamingAnswer.ts";
import { tokensTaken } from "../../chat/session/spentTokens.ts";
import type { AnswerTurn, SettledState } from "../../chat/transcript/transcript.ts";
import type { Message, Usage } from "../../protocol/conversation/conversation.ts";
import { type ChatServices, createChatTarget } from "../chat/chatTarget.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import * as vscode from "vscode";
import { convertUsageToText } from "../../chat/transcript/usage.ts";
import { showWarning } from "../shared/notices.ts";

/** Hears what happens while an answer arrives. */
export interface AnswerListener {
  readonly onText?: (text: string) => void;
  /** A further try is waited for, or nothing arrives; undefined when that is over. */
  readonly onWait?: (wait: { readonly seconds: number; readonly reason?: string } | undefined) => void;
}

/** An answer outside of a chat, with all that is known of it. */
export interface InPlaceAnswer extends Omit<AnswerTurn, "state" | "kind" | "id" | "parentId"> {
  readonly state: SettledState;
}

/** Asks outside of a chat, by the same way as a chat: retries, diagnosis, health, caps and counts are its. */
export class InPlaceAnswers {
  readonly #services: ChatServices;

  constructor(services: ChatServices) {
    this.#services = services;
  }

  /** Whether the user lets it be sent: there is a connection, and the day's cap is not passed. */
  async mayAsk(messages: readonly Message[]): Promise<boolean> {
    const connection = await requireConnection(this.#services.connections);
    if (connection === undefined) return false;
    return this.#services.caps.mayAskOutsideOfChats(connection, countCharacters({ messages }) ?? 0);
  }

  /** Resolves when the answer has ended, however it did. Aborting stops it; what has come stays. */
  async ask(
    messages: readonly Message[],
    listener: AnswerListener,
    signal: AbortSignal,
  ): Promise<InPlaceAnswer> {
    const target = createChatTarget(this.#services);
    const at = new Date().toISOString();
    let text = "";
    let reasoned = 0;
    let usage: Usage | undefined;
    let requestId: string | undefined;
    const arriving = new StreamingAnswer({
      target,
      now: () => new Date(),
      apply: (events) => {
        for (const event of events) {
          switch (event.type) {
            case "text-delta":
              text += event.text;
              listener.onText?.(event.text);
              break;
            case "reasoning-delta":
              reasoned += event.text.length;
              break;
            case "usage":
              ({ usage } = event);
              break;
            case "request-id":
              requestId ??= event.requestId;
              break;
            case "silence":
              listener.onWait?.(event.seconds === 0 ? undefined : { seconds: event.seconds });
              break;
            case "retry-begun":
              listener.onWait?.(undefined);
              break;
            case "retry-announced":
              listener.onWait?.({
                seconds: Math.ceil(event.state.waitMs / 1000),
                reason: event.state.title,
              });
              break;
            case "question-asked":
            case "answer-started":
            case "answer-ended":
            case "version-selected":
            case "question-included":
              break;
            default:
              event satisfies never;
          }
        }
      },
    });
    const stop = (): void => arriving.stop();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    // Should the diagnosis itself break, it counts as stopped.
    let state: SettledState = { kind: "stopped" };
    try {
      state = await arriving.receive(messages);
    } finally {
      signal.removeEventListener("abort", stop);
      target.onSettled(state);
      const { spending } = this.#services;
      // A count that cannot be kept is no reason to disturb anyone.
      const taken = tokensTaken({
        usage,
        ending: state.kind,
        characters: text.length + reasoned,
        sentTokens: estimateMessages(messages, usualRatio.charactersPerToken),
      });
      spending.add(target.connection, taken).catch(() => undefined);
    }
    const { connection, model, clientStyle, price } = target;
    return {
      text,
      reasoning: "",
      state,
      connection,
      model,
      clientStyle,
      at,
      ...(usage === undefined ? {} : { usage }),
      ...(price === undefined ? {} : { price }),
      ...(requestId === undefined ? {} : { requestId }),
    };
  }
}

/** Who answered and what it took. */
export function answerFacts({ model, usage, price, state }: InPlaceAnswer): string {
  return `${model} · ${convertUsageToText(usage, price, state.kind === "complete", { t: vscode.l10n.t, language: vscode.env.language })}`;
}

/** Said while nothing arrives. */
export function waitText(wait: { readonly seconds: number; readonly reason?: string }): string {
  return wait.reason === undefined
    ? vscode.l10n.t("Nothing has arrived for {0} seconds.", wait.seconds)
    : vscode.l10n.t("{0}. Trying again in {1} seconds.", wait.reason, wait.seconds);
}

export function warnCut(): void {
  void showWarning(
    vscode.l10n.t(
      "The answer was cut at its token limit (inference.maxTokens). What had not come yet stays as it was.",
    ),
  );
}
