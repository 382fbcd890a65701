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
   * Names who answers now, or who is chosen for one answer; nothing is sent by this call. Undefined where
   * nothing is asked any more.
   */
  readonly target: (choice?: ChatTargetChoice) => ChatTarget | undefined;
  /** The conversation so far; no answer arrives in it. */
  readonly transcript: Transcript;
  /** Hears of every change, in order; the events of one read of the network come together. */
  readonly onEvents: (events: readonly TranscriptEvent[]) => void;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What a question is sent with beside its attachments. */
export type QuestionContext = Pick<QuestionTurn, "prompt" | "instructions">;

/** One conversation. Takes one question at a time; what happens in it changes its transcript by events only. */
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

  /** True from a question until its answer has ended. */
  get busy(): boolean {
    return this.#arriving !== undefined;
  }

  /** Asks at the end of the branch on the screen. Resolves when the answer has ended, however it did. */
  async send(
    text: string,
    attachments: readonly Attachment[] = [],
    along: QuestionContext = {},
    choice?: ChatTargetChoice,
  ): Promise<void> {
    await this.#ask(text, this.#transcript.leafId, { ...along, attachments }, choice);
  }

  /**
   * Asks in the place of an earlier question, with its attachments unless others are given; that one
   * and what follows it stay as another branch.
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
   * Answers the same question once more, just as it was asked, by whom the chat uses or by whom is chosen
   * for this answer; the earlier answer stays as another version.
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

  /** Has later questions send this one, which got no answer, or leave it out. */
  include(turnId: string, included: boolean): void {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind !== "question" || turn.included === included) return;
    this.#apply([{ type: "question-included", turnId, included }]);
  }

  /** Takes what others have made of the conversation; not while an answer arrives. */
  replace(transcript: Transcript): void {
    if (!this.busy) this.#transcript = transcript;
  }

  /** Brings the branch of this turn onto the screen; false where it has none, or an answer arrives on another. */
  reveal(turnId: string): boolean {
    if (!this.#shows(turnId)) this.selectVersion(turnId);
    return this.#shows(turnId);
  }

  /** Stops the arriving answer, or its wait for another try; what has arrived stays. */
  stop(): void {
    this.#arriving?.stop();
  }

  /** Ends the wait for another try: it is made now. */
  retryNow(): void {
    this.#arriving?.retryNow();
  }

  /** Takes the notice away that nothing arrives, until it is silent for as long again. */
  keepWaiting(): void {
    this.#arriving?.keepWaiting();
  }

  /** Stops this answer, where it is the one that arrives; resolves when it has ended. */
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
    // Should the diagnosis itself break, the chat must not wait for this answer for ever.
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
