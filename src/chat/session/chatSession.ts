import type { ChatTarget, ChatTargetChoice } from "./chatTarget.ts";
import { StreamingAnswer } from "./streamingAnswer.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { fitConversation } from "./contextWindow.ts";
import { convertInstructions, convertTurns } from "./buildMessages.ts";
import { sentTurns } from "../transcript/sentTurns.ts";
import {
  type QuestionTurn,
  reduceTranscript,
  type SettledState,
  type Transcript,
  type TranscriptEvent,
  visibleTurns,
} from "../transcript/transcript.ts";

export interface ChatSessionOptions {
  /**
   * Returns the target of the next answer, or the chosen target for one answer. Sends nothing. Returns undefined if no
   * further requests may be sent.
   */
  readonly target: (choice?: ChatTargetChoice) => ChatTarget | undefined;
  /** The conversation so far, without a streaming answer. */
  readonly transcript: Transcript;
  /** Called for every change, in order. Events of the same network read arrive together. */
  readonly onEvents: (events: readonly TranscriptEvent[]) => void;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The parts of a question that are sent besides its text and attachments. */
export type QuestionContext = Pick<QuestionTurn, "prompt" | "instructions">;

/** A conversation. Handles one question at a time. Every change of the transcript is an event, except `replace`. */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  #transcript: Transcript;
  #arriving: StreamingAnswer | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    this.#transcript = options.transcript;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** True from a question until the end of its answer. */
  get busy(): boolean {
    return this.#arriving !== undefined;
  }

  /** Asks at the end of the displayed branch. Resolves when the answer has ended, whether it succeeded or not. */
  async send(
    text: string,
    attachments: readonly Attachment[] = [],
    along: QuestionContext = {},
    choice?: ChatTargetChoice,
  ): Promise<void> {
    await this.#ask(text, this.#transcript.leafId, { ...along, attachments }, choice);
  }

  /**
   * Asks instead of an earlier question, with that question's attachments unless others are given. The earlier question
   * and the turns after it remain as another branch.
   */
  async edit(
    turnId: string,
    text: string,
    attachments?: readonly Attachment[],
    along: QuestionContext = {},
  ): Promise<void> {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind !== "question") return;
    await this.#ask(text, turn.parentId, { ...along, attachments: attachments ?? turn.attachments ?? [] });
  }

  /**
   * Requests another answer to the same, unchanged question, from the chat's target or a chosen one. The earlier answer
   * remains as another version.
   */
  async retry(turnId: string, choice?: ChatTargetChoice): Promise<void> {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (this.busy || turn?.kind !== "answer") return;
    const target = this.#options.target(choice);
    if (target !== undefined) await this.#begin(turn.parentId, target);
  }

  selectVersion(turnId: string): void {
    if (!this.busy) this.#apply([{ type: "version-selected", turnId }]);
  }

  /** Sets whether later requests include this question, which has no answer. */
  include(turnId: string, included: boolean): void {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind !== "question" || turn.included === included) return;
    this.#apply([{ type: "question-included", turnId, included }]);
  }

  /** Replaces the transcript with the version of another window. Does nothing while an answer is streaming. */
  replace(transcript: Transcript): void {
    if (!this.busy) this.#transcript = transcript;
  }

  /**
   * Shows the branch with this turn. Returns false if the turn does not exist or an answer is streaming in another
   * branch.
   */
  reveal(turnId: string): boolean {
    if (!this.#shows(turnId)) this.selectVersion(turnId);
    return this.#shows(turnId);
  }

  /** Stops the streaming answer or the wait before a retry. Received text stays. */
  stop(): void {
    this.#arriving?.stop();
  }

  /** Ends the wait before a retry and starts the retry now. */
  retryNow(): void {
    this.#arriving?.retryNow();
  }

  /** Dismisses the notice of silence. The notice returns after the same time without data. */
  keepWaiting(): void {
    this.#arriving?.keepWaiting();
  }

  /** Stops this answer if it is streaming. Resolves when the answer has ended. */
  async end(turnId: string): Promise<void> {
    if (this.#transcript.arriving?.id !== turnId) return;
    this.stop();
    await this.#ended;
  }

  #shows(turnId: string): boolean {
    return visibleTurns(this.#transcript).some(({ id }) => id === turnId);
  }

  async #ask(
    text: string,
    parentId: string | null,
    {
      attachments,
      prompt,
      instructions = [],
    }: QuestionContext & { readonly attachments: readonly Attachment[] },
    choice?: ChatTargetChoice,
  ): Promise<void> {
    if (this.busy || text.trim() === "") return;
    const target = this.#options.target(choice);
    if (target === undefined) return;
    const id = this.#options.newId();
    const at = this.#options.now().toISOString();
    const along = {
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(instructions.length === 0 ? {} : { instructions }),
    };
    this.#apply([{ type: "question-asked", turn: { kind: "question", id, parentId, text, at, ...along } }]);
    await this.#begin(id, target);
  }

  async #begin(questionId: string, target: ChatTarget): Promise<void> {
    this.#ended = this.#answer(questionId, target);
    await this.#ended;
  }

  async #answer(questionId: string, target: ChatTarget): Promise<void> {
    const { newId, now } = this.#options;
    const { connection, model, clientStyle, price, room } = target;
    const branch = sentTurns(visibleTurns({ ...this.#transcript, leafId: questionId }));
    const { turns, leftOut } = room === undefined ? { turns: branch } : fitConversation(branch, room);
    const arriving = new StreamingAnswer({ target, now, apply: (events) => this.#apply(events) });
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
          ...(price === undefined ? {} : { price }),
          at: now().toISOString(),
          ...(leftOut === undefined ? {} : { leftOut }),
        },
      },
    ]);
    const messages = [...convertInstructions(turns), ...convertTurns(turns, room?.takesImages)];
    // The chat must not stay busy if the diagnosis itself throws.
    let state: SettledState = { kind: "stopped" };
    try {
      state = await arriving.receive(messages);
    } finally {
      this.#arriving = undefined;
      this.#apply([{ type: "answer-ended", state }]);
      target.onSettled(state);
    }
  }

  #apply(events: readonly TranscriptEvent[]): void {
    for (const event of events) this.#transcript = reduceTranscript(this.#transcript, event);
    this.#options.onEvents(events);
  }
}
