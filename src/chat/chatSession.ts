import { type Failure, InferenceError } from "../client/failure.ts";
import { readFiltered } from "../client/filtered.ts";
import { readThrown } from "../client/thrown.ts";
import type { Diagnosis } from "../connection/diagnosis.ts";
import type { Message, StreamPart } from "../protocol/conversation.ts";
import type { ClientStyle } from "../protocol/wireStyle.ts";
import { convertTurns } from "./convertTurns.ts";
import {
  emptyTranscript,
  reduceTranscript,
  type SettledState,
  type Transcript,
  type TranscriptEvent,
  visibleTurns,
} from "./transcript.ts";

/** Who will answer, fixed when a question is sent. */
export interface Answerer {
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** Sends the conversation; throws `InferenceError`. Ends quietly when the signal aborts. */
  readonly answer: (
    messages: readonly Message[],
    signal: AbortSignal,
  ) => AsyncIterable<readonly StreamPart[]>;
  readonly diagnose: (failure: Failure) => Promise<Diagnosis>;
}

export interface ChatSessionOptions {
  /** Names who answers now; nothing is sent by this call. */
  readonly answerer: () => Answerer;
  /** Hears of every change, in order; the events of one read of the network come together. */
  readonly onEvents: (events: readonly TranscriptEvent[]) => void;
  readonly now: () => Date;
  readonly newId: () => string;
}

type FinishPart = Extract<StreamPart, { type: "finish" }>;

/** One conversation. Takes one question at a time; its transcript is changed by events only. */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  #transcript: Transcript = emptyTranscript;
  #arriving: AbortController | undefined;

  constructor(options: ChatSessionOptions) {
    this.#options = options;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** True from a question until its answer has ended. */
  get busy(): boolean {
    return this.#arriving !== undefined;
  }

  /** Asks at the end of the branch on the screen. Resolves when the answer has ended, however it did. */
  async send(text: string): Promise<void> {
    await this.#ask(text, this.#transcript.leafId);
  }

  /** Asks in the place of an earlier question; that one and what follows it stay as another branch. */
  async edit(turnId: string, text: string): Promise<void> {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind === "question") await this.#ask(text, turn.parentId);
  }

  /** Answers the same question once more; the earlier answer stays as another version. */
  async retry(turnId: string): Promise<void> {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (this.busy || turn?.kind !== "answer") return;
    await this.#answer(turn.parentId, this.#options.answerer());
  }

  selectVersion(turnId: string): void {
    if (!this.busy) this.#apply([{ type: "version-selected", turnId }]);
  }

  /** Aborts the request of the arriving answer; what has arrived stays. */
  stop(): void {
    this.#arriving?.abort();
  }

  async #ask(text: string, parentId: string | null): Promise<void> {
    if (this.busy || text.trim() === "") return;
    const answerer = this.#options.answerer();
    const id = this.#options.newId();
    const at = this.#options.now().toISOString();
    this.#apply([{ type: "question-asked", turn: { kind: "question", id, parentId, text, at } }]);
    await this.#answer(id, answerer);
  }

  async #answer(questionId: string, answerer: Answerer): Promise<void> {
    const { newId, now } = this.#options;
    const { connection, model, clientStyle, answer, diagnose } = answerer;
    const arriving = new AbortController();
    this.#arriving = arriving;
    this.#apply([
      {
        type: "answer-started",
        turn: {
          kind: "answer",
          id: newId(),
          parentId: questionId,
          text: "",
          reasoning: "",
          state: { kind: "waiting" },
          connection,
          model,
          clientStyle,
          at: now().toISOString(),
        },
      },
    ]);
    const messages = convertTurns(visibleTurns(this.#transcript));
    // Should the diagnosis itself break, the chat must not wait for this answer for ever.
    let state: SettledState = { kind: "stopped" };
    try {
      state = await this.#receive(answer(messages, arriving.signal), arriving.signal, diagnose);
    } finally {
      this.#arriving = undefined;
      this.#apply([{ type: "answer-ended", state }]);
    }
  }

  async #receive(
    batches: AsyncIterable<readonly StreamPart[]>,
    signal: AbortSignal,
    diagnose: Answerer["diagnose"],
  ): Promise<SettledState> {
    let finish: FinishPart | undefined;
    try {
      for await (const parts of batches) {
        finish = parts.findLast((part) => part.type === "finish") ?? finish;
        const events = parts.flatMap(convertPart);
        if (events.length > 0) this.#apply(events);
      }
    } catch (error) {
      const failure = error instanceof InferenceError ? error.failure : readThrown(error);
      if (failure.kind !== "cancelled" && !signal.aborted) {
        return { kind: "failed", diagnosis: await diagnose(failure) };
      }
    }
    if (signal.aborted) return { kind: "stopped" };
    const filtered = finish && readFiltered(finish, this.#transcript.arriving?.requestId);
    if (filtered !== undefined) return { kind: "failed", diagnosis: await diagnose(filtered) };
    return { kind: "complete", reason: finish?.reason ?? "stop" };
  }

  #apply(events: readonly TranscriptEvent[]): void {
    for (const event of events) this.#transcript = reduceTranscript(this.#transcript, event);
    this.#options.onEvents(events);
  }
}

function convertPart(part: StreamPart): readonly TranscriptEvent[] {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
    case "usage":
    case "request-id":
      return [part];
    case "tool-call":
    case "finish":
    case "error":
      return [];
  }
}
