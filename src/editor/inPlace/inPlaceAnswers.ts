import type { Asker } from "../../chat/requests/requestRecord.ts";
import { countCharacters, estimateMessages, usualRatio } from "../../chat/session/tokenEstimate.ts";
import { StreamingAnswer } from "../../chat/session/streamingAnswer.ts";
import { tokensTaken } from "../../chat/session/spentTokens.ts";
import {
  type AnswerEvent,
  type AnswerTurn,
  reduceAnswer,
  refusedFieldText,
  type SettledState,
} from "../../chat/transcript/transcript.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import { type ChatServices, createChatTarget } from "../chat/chatTarget.ts";
import { workspaceReceiver } from "../chat/receiver.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import * as vscode from "vscode";
import { convertUsageToText } from "../../chat/transcript/usage.ts";
import { showWarning } from "../shared/notices.ts";

/** Callbacks while an answer arrives. */
export interface AnswerListener {
  readonly onText?: (text: string) => void;
  readonly onReasoning?: () => void;
  /**
   * Called with the seconds until a retry and its `reason`, or with the seconds without data. Called with undefined
   * when the wait is over.
   */
  readonly onWait?: (wait: { readonly seconds: number; readonly reason?: string } | undefined) => void;
}

/** A model and a token limit for one answer, in place of those of the workspace. */
export interface AnswerChoice {
  readonly model?: string;
  readonly maxTokens?: number;
}

/** An answer outside of a chat. */
export interface InPlaceAnswer extends Omit<AnswerTurn, "state" | "kind" | "id" | "parentId"> {
  readonly state: SettledState;
}

/**
 * Asks outside of a chat. Retries, diagnosis, connection health, the daily cap, and token counts are the same as in a
 * chat.
 */
export class InPlaceAnswers {
  readonly #services: ChatServices;

  constructor(services: ChatServices) {
    this.#services = services;
  }

  /** Resolves to true if there is a connection, and the daily cap or the user allows the request. */
  async mayAsk(messages: readonly Message[]): Promise<boolean> {
    const connection = await requireConnection(this.#services.connections);
    if (connection === undefined) return false;
    return this.#services.caps.mayAskOutsideOfChats(connection, countCharacters({ messages }) ?? 0);
  }

  /** Replaces stored keys with `[API key]`. */
  cleanText(text: string): Promise<string> {
    return this.#services.outgoing.cleanText(text);
  }

  /** Resolves when the answer has ended, in any state. Aborting stops the answer but preserves its text so far. */
  async ask(
    asker: Asker,
    messages: readonly Message[],
    listener: AnswerListener,
    signal: AbortSignal,
    { model: chosen, maxTokens }: AnswerChoice = {},
  ): Promise<InPlaceAnswer> {
    const receiver = workspaceReceiver(this.#services.connections);
    if (receiver === undefined)
      throw new Error(vscode.l10n.t("No connection is selected for this workspace."));
    const asked = chosen === undefined ? receiver : { ...receiver, model: chosen };
    const target = createChatTarget(
      this.#services,
      asker,
      asked,
      maxTokens === undefined ? {} : { maxTokens },
    );
    const { connection, origin, model, clientStyle, price } = target;
    let answer: AnswerTurn = {
      kind: "answer",
      id: "",
      parentId: "",
      text: "",
      reasoning: "",
      state: { kind: "waiting" },
      connection,
      ...(origin === undefined ? {} : { origin }),
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
          if (event.type === "field-refused") warnRefused(answer, event.field);
          notify(event, listener);
        }
      },
    });
    const stop = (): void => arriving.stop();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    // If `receive` throws, the answer counts as stopped.
    let state: SettledState = { kind: "stopped" };
    try {
      state = (await arriving.receive(messages)).state;
    } finally {
      signal.removeEventListener("abort", stop);
      target.onSettled(state);
      const { spending } = this.#services;
      const taken = tokensTaken({
        usage: answer.usage,
        ending: state.kind,
        characters: answer.text.length + answer.reasoning.length,
        sentTokens: estimateMessages(messages, usualRatio.charactersPerToken),
      });
      // A failure to save the count is ignored.
      spending.add(connection, taken).catch(() => undefined);
    }
    const { silentSeconds: _silent, ...ended } = answer;
    return { ...ended, reasoning: "", state };
  }
}

function notify(event: AnswerEvent, { onText, onReasoning, onWait }: AnswerListener): void {
  if (event.type === "text-delta") onText?.(event.text);
  else if (event.type === "reasoning-delta") onReasoning?.();
  else if (event.type === "silence") onWait?.(event.seconds === 0 ? undefined : { seconds: event.seconds });
  else if (event.type === "retry-begun") onWait?.(undefined);
  else if (event.type === "retry-announced") {
    const { waitMs, title } = event.state;
    onWait?.({ seconds: Math.ceil(waitMs / 1000), reason: title });
  }
}

/** The model of the answer, its usage, and its price. */
export function answerFacts({ model, usage, price, state }: InPlaceAnswer): string {
  return `${model} · ${convertUsageToText(usage, price, state.kind === "complete", { t: vscode.l10n.t, language: vscode.env.language })}`;
}

/** Text for the user while no data arrives or a retry is pending. */
export function waitText(wait: { readonly seconds: number; readonly reason?: string }): string {
  return wait.reason === undefined
    ? vscode.l10n.t("No data received for {0} seconds.", wait.seconds)
    : vscode.l10n.t("{0}. Trying again in {1} seconds.", wait.reason, wait.seconds);
}

function warnRefused(answer: AnswerTurn, field: string): void {
  void showWarning(refusedFieldText(answer, field, vscode.l10n.t));
}

export function warnCut(): void {
  void showWarning(
    vscode.l10n.t(
      "The answer reached its token limit (inference.maxTokens). The part of your text that the answer didn't reach is unchanged.",
    ),
  );
}
