import { countCharacters, estimateMessages, usualRatio } from "../../chat/session/tokenEstimate.ts";
import { StreamingAnswer } from "../../chat/session/streamingAnswer.ts";
import { tokensTaken } from "../../chat/session/spentTokens.ts";
import {
  type AnswerEvent,
  type AnswerTurn,
  reduceAnswer,
  type SettledState,
} from "../../chat/transcript/transcript.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
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
    const { connection, model, clientStyle, price } = target;
    let answer: AnswerTurn = {
      kind: "answer",
      id: "",
      parentId: "",
      text: "",
      reasoning: "",
      state: { kind: "waiting" },
      connection,
      model,
      clientStyle,
      ...(price === undefined ? {} : { price }),
      at: new Date().toISOString(),
    };
    const arriving = new StreamingAnswer({
      target,
      now: () => new Date(),
      apply: (events) => {
        for (const event of events) {
          answer = reduceAnswer(answer, event);
          notify(event, listener);
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
        usage: answer.usage,
        ending: state.kind,
        characters: answer.text.length + answer.reasoning.length,
        sentTokens: estimateMessages(messages, usualRatio.charactersPerToken),
      });
      spending.add(connection, taken).catch(() => undefined);
    }
    const { silentSeconds: _silent, ...ended } = answer;
    return { ...ended, reasoning: "", state };
  }
}

function notify(event: AnswerEvent, { onText, onWait }: AnswerListener): void {
  if (event.type === "text-delta") onText?.(event.text);
  else if (event.type === "silence") onWait?.(event.seconds === 0 ? undefined : { seconds: event.seconds });
  else if (event.type === "retry-begun") onWait?.(undefined);
  else if (event.type === "retry-announced") {
    const { waitMs, title } = event.state;
    onWait?.({ seconds: Math.ceil(waitMs / 1000), reason: title });
  }
}

/** Who answered and what it took. */
export function answerFacts({ model, usage, price, state }: InPlaceAnswer): string {
  return `${model} · ${convertUsageToText(usage, price, state.kind === "complete", { t: vscode.l10n.t, language: vscode.env.language })}`;
}

/** Said while nothing arrives. */
export function waitText(wait: { readonly seconds: number; readonly reason?: string }): string {
  return wait.reason === undefined
    ? vscode.l10n.t("No data received for {0} seconds.", wait.seconds)
    : vscode.l10n.t("{0}. Trying again in {1} seconds.", wait.reason, wait.seconds);
}

export function warnCut(): void {
  void showWarning(
    vscode.l10n.t(
      "The answer reached its token limit (inference.maxTokens). The remaining text was left unchanged.",
    ),
  );
}
