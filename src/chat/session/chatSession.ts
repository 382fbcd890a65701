import { isDeepStrictEqual } from "node:util";
import type { ChatTarget, ChatTargetChoice } from "./chatTarget.ts";
import { StreamingAnswer } from "./streamingAnswer.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { AgentLoop } from "./agentLoop.ts";
import { fitConversation, type ModelLimits, roomForInput } from "./contextWindow.ts";
import { convertInstructions, convertTurns, undoneNote } from "./buildMessages.ts";
import { clearOldResults, resultLimitOf } from "./clearedResults.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import { isCompaction, withShortResults } from "../transcript/compaction.ts";
import { sentTurns } from "../transcript/sentTurns.ts";
import { countLetters } from "../transcript/answerOutline.ts";
import { type CallReply, partsOf, type QueuedMessage } from "../transcript/steps.ts";
import {
  type AnswerTurn,
  type ChangesState,
  type ChatSelection,
  isResumable,
  type OmittedTurns,
  type QuestionTurn,
  reduceTranscript,
  type SettledState,
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../transcript/transcript.ts";

export interface ChatSessionOptions {
  /**
   * Returns the target of the next answer to a question, or the chosen target for one answer. Sends nothing. Returns
   * undefined if no further requests may be sent. `resumed` is the answer that goes on.
   */
  readonly target: (
    question: QuestionTurn,
    choice?: ChatTargetChoice,
    resumed?: AnswerTurn,
  ) => ChatTarget | undefined;
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
  /** The loop of the streaming answer. Undefined if that answer has no tools. */
  #loop: AgentLoop | undefined;
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
    const target = this.#targetOf(turn, choice);
    if (target !== undefined) await this.#begin(turn.parentId, target);
  }

  /** Goes on with an answer that ended early, from its last finished step. */
  async resume(turnId: string, choice?: ChatTargetChoice): Promise<void> {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind !== "answer" || !isResumable(this.#transcript, turnId)) return;
    const target = this.#targetOf(turn, choice, turn);
    if (target !== undefined) await this.#begin(turn.parentId, target, turn);
  }

  #targetOf(
    { parentId }: AnswerTurn,
    choice: ChatTargetChoice | undefined,
    resumed?: AnswerTurn,
  ): ChatTarget | undefined {
    const question = this.#transcript.turns.find(({ id }) => id === parentId);
    return question?.kind === "question" ? this.#options.target(question, choice, resumed) : undefined;
  }

  /**
   * Sends a message with the next request of the arriving answer. Resolves with whether a request has taken it.
   * Undefined if no answer takes messages.
   */
  enqueue(message: QueuedMessage): Promise<boolean> | undefined {
    return this.#loop?.enqueue(message);
  }

  /** Whether a message can be sent with the next request of the streaming answer. */
  get takesMessages(): boolean {
    return this.#loop !== undefined;
  }

  /** Replies to the card of a call, counted within the last step of the arriving answer. */
  replyToCall(turnId: string, call: number, reply: CallReply): void {
    if (this.#transcript.arriving?.id === turnId) this.#loop?.replyToCall(call, reply);
  }

  replyToPause(turnId: string, goesOn: boolean): void {
    if (this.#transcript.arriving?.id === turnId) this.#loop?.replyToPause(goesOn);
  }

  selectVersion(turnId: string): void {
    if (!this.busy) this.#apply([{ type: "version-selected", turnId }]);
  }

  /** Stores what the chat uses from now on. */
  select(selection: ChatSelection): void {
    if (!isDeepStrictEqual(selection, this.#transcript.selection))
      this.#apply([{ type: "target-selected", selection }]);
  }

  /** Sets whether later requests include this question, which has no answer. */
  include(turnId: string, included: boolean): void {
    const turn = this.#transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind !== "question" || turn.included === included) return;
    this.#apply([{ type: "question-included", turnId, included }]);
  }

  /** Records what the user did with the files that an answer has written. */
  settleChanges(turnId: string, state: ChangesState): void {
    if (this.#transcript.turns.some(({ id }) => id === turnId))
      this.#apply([{ type: "changes-settled", turnId, state }]);
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

  /** Stops the streaming answer or the wait before a retry. Received text stays. Its tools see the reason. */
  stop(reason?: Error): void {
    this.#arriving?.stop(reason);
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
    const id = this.#options.newId();
    const at = this.#options.now().toISOString();
    const along = {
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(instructions.length === 0 ? {} : { instructions }),
    };
    const turn: QuestionTurn = { kind: "question", id, parentId, text, at, ...along };
    const target = this.#options.target(turn, choice);
    if (target === undefined) return;
    this.#apply([{ type: "question-asked", turn }]);
    await this.#begin(id, target);
  }

  async #begin(questionId: string, target: ChatTarget, resumed?: AnswerTurn): Promise<void> {
    this.#ended = this.#answer(questionId, target, resumed);
    await this.#ended;
  }

  async #answer(questionId: string, target: ChatTarget, resumed: AnswerTurn | undefined): Promise<void> {
    const { now } = this.#options;
    const { hasGiven, origin, model, clientStyle, room, taken, tools } = target;
    const all = sentTurns(visibleTurns({ ...this.#transcript, leafId: questionId }));
    const branch = isAboutChat(all) ? withShortResults(all, resultLengthFor(all, room)) : all;
    const { turns, leftOut } = room === undefined ? { turns: branch } : fitConversation(branch, room);
    const arriving = new StreamingAnswer({ target, now, apply: (events) => this.#apply(events) });
    this.#arriving = arriving;
    if (target.selection !== undefined) this.select(target.selection);
    if (resumed === undefined)
      this.#apply([{ type: "answer-started", turn: this.#newAnswer(questionId, target, leftOut) }]);
    else this.#apply(resumeEvents(resumed));
    const answered = resumed === undefined ? [] : [this.#transcript.arriving].filter((turn) => turn !== null);
    const place = { hasGiven, ...(origin === undefined ? {} : { origin }) };
    const receiver = { ...place, model, clientStyle, ...taken(), takesCalls: tools !== undefined };
    const messages = [
      ...convertInstructions(turns, tools?.instructions),
      ...convertTurns([...turns, ...answered], receiver),
    ];
    // The chat must not stay busy if the diagnosis itself throws.
    let state: SettledState = { kind: "stopped" };
    try {
      state = await this.#receive(arriving, target, messages);
    } finally {
      this.#arriving = undefined;
      const loop = this.#loop;
      this.#loop = undefined;
      this.#apply([{ type: "answer-ended", state }]);
      loop?.dropQueue();
      target.onSettled(state);
    }
  }

  #newAnswer(parentId: string, target: ChatTarget, leftOut: OmittedTurns | undefined): AnswerTurn {
    const { connection, origin, model, clientStyle, isOneTime = false, price, tools } = target;
    return {
      kind: "answer",
      id: this.#options.newId(),
      parentId,
      text: "",
      reasoning: "",
      state: { kind: "waiting" },
      connection,
      ...(origin === undefined ? {} : { origin }),
      model,
      clientStyle,
      ...(isOneTime ? { isOneTime } : {}),
      ...(tools === undefined ? {} : { mode: tools.mode, maxRequests: tools.maxRequests }),
      ...(price === undefined ? {} : { price }),
      at: this.#options.now().toISOString(),
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  }

  async #receive(
    arriving: StreamingAnswer,
    { tools, room, taken }: ChatTarget,
    messages: readonly Message[],
  ): Promise<SettledState> {
    if (tools === undefined) return (await arriving.receive(messages)).state;
    const resultLimit = room && resultLimitOf(roomForInput(room), room.charactersPerToken);
    this.#loop = new AgentLoop({
      tools,
      signal: arriving.signal,
      receive: (sent) => arriving.receive(sent),
      apply: (events) => this.#apply(events),
      answer: () => this.#transcript.arriving,
      taken,
      resultLimit,
    });
    return this.#loop.run(clearOldResults(messages, resultLimit));
  }

  #apply(events: readonly TranscriptEvent[]): void {
    for (const event of events) this.#transcript = reduceTranscript(this.#transcript, event);
    this.#options.onEvents(events);
  }
}

function isAboutChat(branch: readonly Turn[]): boolean {
  const last = branch.at(-1);
  return last?.kind === "question" && isCompaction(last);
}

/** Part of the room for input that results may take in a request for a summary. */
const resultShare = 0.5;
/** UTF-16 units of a result in a request for a summary. */
const maxSummarizedResult = 4000;

function resultLengthFor(branch: readonly Turn[], room: ModelLimits | undefined): number {
  const input = room && roomForInput(room);
  if (room === undefined || input === undefined) return maxSummarizedResult;
  const steps = branch.flatMap((turn) => (turn.kind === "answer" ? (turn.steps ?? []) : []));
  const calls = steps.flatMap((step) => step.calls).length;
  const share = (input * room.charactersPerToken * resultShare) / Math.max(1, calls);
  return Math.floor(Math.min(maxSummarizedResult, share));
}

const resumeNote = "You were interrupted. Go on from where you were.";

/** A text that no step ended becomes a step of its own, so that the model sees it. */
function resumeEvents(answer: AnswerTurn): readonly TranscriptEvent[] {
  const resumed: TranscriptEvent = { type: "answer-resumed", turnId: answer.id };
  const undone: readonly TranscriptEvent[] =
    answer.changes === "undone"
      ? [{ type: "message-added", message: { by: "undone", text: undoneNote } }]
      : [];
  const rest = partsOf(answer).at(-1)?.text ?? "";
  if (rest.trim() === "") return [resumed, ...undone, { type: "request-begun" }];
  return [
    resumed,
    { type: "step-ended", calls: [], outline: [{ type: "text", letters: countLetters(rest) }] },
    ...undone,
    { type: "message-added", message: { by: "resumed", text: resumeNote } },
    { type: "request-begun" },
  ];
}
