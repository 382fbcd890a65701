import type { ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import type { FromWebview } from "../../chat/page/protocol.ts";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import type { QuestionContext } from "../../chat/session/chatSession.ts";
import type { QuestionToCount } from "../../chat/session/spentTokens.ts";
import { type Attachment, isPdf, joinAttachments } from "../../chat/transcript/attachments.ts";
import { isCompactCommand } from "../../chat/prompts/promptCommand.ts";
import { compactPrompt } from "../../chat/transcript/compaction.ts";
import {
  type AnswerTurn,
  attachmentsOf,
  type ChatSelection,
  lastAnswerOf,
  sentText,
  type Transcript,
  type Turn,
  visibleTurns,
} from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import type { ChatPrompts } from "../prompts/chatPrompts.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import type { Chat } from "./chat.ts";
import type { QuestionDialogs } from "./questionDialogs.ts";
import type { CapAnswer, TokenCaps } from "./spending.ts";
import type { PendingText, UnsentTexts } from "./unsentTexts.ts";

/** Services that prepare a question or can refuse it. */
export interface QuestionNeeds {
  readonly prompts: Pick<ChatPrompts, "settled" | "prepare" | "instructionsFor">;
  readonly context: Pick<ChatContext, "settled" | "attach">;
  readonly outgoing: Pick<OutgoingTexts, "cleanQuestion">;
  readonly caps: Pick<TokenCaps, "mayAsk">;
  /** The connection and model of the chat, or of the choice. Undefined without a connection. */
  readonly selectionOf: (chat: Chat, choice?: ChatTargetChoice) => ChatSelection | undefined;
  /** The name that the connection of an answer has now. Undefined if another connection has taken its name since. */
  readonly currentNameOf: (answer: Pick<AnswerTurn, "connection" | "at">) => string | undefined;
  /** The origin that a connection goes to now. Undefined without the connection or a valid base URL. */
  readonly originOf: (connectionName: string) => string | undefined;
  readonly dialogs: QuestionDialogs;
  /** Why no mode with tools can be used, with the chat's model or the chosen one; undefined if one can. */
  readonly obstacleTo: (chat: Chat, choice?: ChatTargetChoice) => ModeObstacle | undefined;
  /** Whether the chat's model, or the chosen one, reads PDF files; undefined if no test has shown it. */
  readonly takesPdf: (chat: Chat, choice?: ChatTargetChoice) => boolean | undefined;
  /** Creates a chat that no page shows yet. */
  readonly newChat: () => Chat;
  /** Releases a chat unless a page shows it. */
  readonly release: (chat: Chat) => void;
}

/** The chat page that a question comes from. */
export interface QuestionPage {
  /** The visible chat. */
  readonly chat: Chat;
  /** Shows another chat instead of the current one. */
  goTo(chat: Chat): void;
  /** Puts text back into the composer or, with `turnId`, into that question's editor. */
  restore(text: string, turnId?: string): void;
  focusComposer(): void;
  /** Gives the focus back to the element that had it. */
  focusAgain(): void;
}

/** All ways to send a question. Every question passes consent, token caps and key removal before it is sent. */
export class AskQuestion {
  readonly #needs: QuestionNeeds;
  readonly #page: QuestionPage;
  readonly #texts: UnsentTexts;
  /** The question being prepared in each chat. The next question waits for it, so that questions stay in order. */
  readonly #beginning = new WeakMap<Chat, Promise<unknown>>();

  constructor(needs: QuestionNeeds, page: QuestionPage, texts: UnsentTexts) {
    this.#needs = needs;
    this.#page = page;
    this.#texts = texts;
  }

  /**
   * Sends a question. If it cannot be sent, puts its text back into its chat. With `turnId`, replaces the question of
   * that turn, except in a new chat, which has no such turn.
   */
  async send(text: string, turnId?: string, along?: readonly Attachment[]): Promise<void> {
    const origin = this.#page.chat;
    if (turnId === undefined && along === undefined && (await this.#enqueue(origin, text))) return;
    // The listener prevents the chat's release, even if the page shows another chat in the meantime.
    const leave = origin.listen({ onEvents: () => undefined });
    const release = origin.hold();
    const pending = { text, turnId, isTyped: turnId === undefined && along === undefined };
    this.#texts.begin(origin, pending);
    let begun: Begun | undefined;
    try {
      begun = await this.#beginInTurn(origin, pending, along);
    } finally {
      release();
      if (begun === undefined) this.#restore(origin, pending, along ?? []);
      else this.#texts.sent(origin, pending);
      leave();
      this.#needs.release(origin);
    }
    await begun?.answered;
  }

  /**
   * Hands the text and the composer's attachments to the streaming answer, which sends them with its next request. False
   * if no answer takes them. The rest returns to the composer, as does a text for another connection than the answer's.
   */
  async #enqueue(chat: Chat, text: string): Promise<boolean> {
    if (!chat.session.takesMessages) return false;
    const pending = { text, isTyped: true };
    if (isCompactCommand(text)) {
      this.#restore(chat, pending, []);
      this.#needs.dialogs.showNotCompacted("arriving");
      return true;
    }
    // The window can close before a request takes the message.
    this.#texts.begin(chat, pending);
    const cleaned = await this.#cleanToQueue(chat, text);
    if (chat.session.takesMessages && !this.#isSelectedAnswering(chat)) {
      this.#restore(chat, pending, []);
      this.#needs.dialogs.showStillAnswering();
      return true;
    }
    const { arriving } = chat.session.transcript;
    if (arriving !== null && !this.#mayCarry(chat, chat.attachments, receiverOf(arriving))) {
      this.#restore(chat, pending, []);
      return true;
    }
    const attachments = chat.session.takesMessages ? chat.queueAttachments() : [];
    const message = { text: cleaned, ...(attachments.length === 0 ? {} : { attachments }) };
    const taken = chat.session.enqueue(message);
    if (taken === undefined) {
      this.#texts.sent(chat, pending);
      return false;
    }
    void this.#followQueued(chat, pending, attachments, taken);
    return true;
  }

  /** Whether the streaming answer comes from the connection that the chat uses, at its host now. */
  #isSelectedAnswering(chat: Chat): boolean {
    const { arriving } = chat.session.transcript;
    return arriving !== null && this.#isSource(arriving, this.#needs.selectionOf(chat)?.connection);
  }

  async #followQueued(
    chat: Chat,
    pending: PendingText,
    attachments: readonly Attachment[],
    taken: Promise<boolean>,
  ): Promise<void> {
    const isTaken = await taken;
    chat.settleQueued(attachments, isTaken);
    if (isTaken) this.#texts.sent(chat, pending);
    else this.#restore(chat, pending, []);
  }

  async #cleanToQueue(chat: Chat, text: string): Promise<string> {
    try {
      await this.#needs.context.settled(chat);
      return await this.#needs.outgoing.cleanQuestion(text);
    } catch (error) {
      this.#restore(chat, { text, isTyped: true }, []);
      throw error;
    }
  }

  /** Goes on with an answer that ended early, with the connection and model that began it. */
  async resume(turnId: string): Promise<void> {
    const origin = this.#page.chat;
    const answer = visibleTurns(origin.session.transcript).find(({ id }) => id === turnId);
    if (origin.session.busy || answer?.kind !== "answer") return;
    const { connection } = answer;
    const choice = receiverOf(answer);
    // The answer names who gave it, so no other connection may continue it.
    const { dialogs, selectionOf, currentNameOf } = this.#needs;
    if (selectionOf(origin, choice) === undefined) {
      dialogs.showNotResumed(connection, { kind: "gone" });
      return;
    }
    if (currentNameOf(answer) === undefined) {
      dialogs.showNotResumed(connection, { kind: "replaced" });
      return;
    }
    if (answer.origin !== undefined && this.#originNow(answer) !== answer.origin) {
      dialogs.showNotResumed(connection, { kind: "moved", before: answer.origin });
      return;
    }
    const release = origin.hold();
    const counted = { text: "", attachments: [], instructions: [] };
    const carried = attachmentsUpTo(origin, answer);
    const target = await this.#chooseTarget(origin, counted, choice, carried).finally(release);
    if (target === undefined) return;
    if (target.chat !== origin) {
      this.#page.goTo(target.chat);
      dialogs.showNotContinued();
      return;
    }
    await origin.session.resume(turnId, choice);
  }

  /** Asks for the rest of a cut answer, as a visible question. Sends nothing if the target is another chat. */
  async continue(): Promise<void> {
    const { dialogs } = this.#needs;
    const text = dialogs.continueText;
    const origin = this.#page.chat;
    if (origin.session.busy) return;
    const branch = visibleTurns(origin.session.transcript);
    const cut = branch.findLast((turn) => turn.kind === "answer");
    // An answer without text has nothing to continue.
    if (cut === undefined || cut.text.trim() === "") return;
    // The rest belongs to the same answer, so send the same instructions.
    const instructions = branch.findLast((turn) => turn.kind === "question")?.instructions ?? [];
    // Use the model that began the answer, unless the connection has changed and may not know the model.
    const isSame = this.#isSource(cut, this.#needs.selectionOf(origin)?.connection);
    const choice = isSame ? receiverOf(cut) : undefined;
    const counted = { text, attachments: [], instructions };
    const release = origin.hold();
    const target = await this.#chooseTarget(origin, counted, choice).finally(release);
    if (target === undefined) return;
    if (target.chat !== origin) {
      this.#page.goTo(target.chat);
      dialogs.showNotContinued();
      return;
    }
    await origin.session.send(text, [], { instructions }, choice);
  }

  /** Retries with another connection, model or client style, for this answer only. */
  async retryWith(turnId: string): Promise<void> {
    const { chat } = this.#page;
    const answer = visibleTurns(chat.session.transcript).find(({ id }) => id === turnId);
    if (answer?.kind !== "answer") return;
    const choice = await this.#needs.dialogs.chooseChatTarget(chat, answer);
    if (this.#page.chat !== chat) return;
    if (choice === undefined) {
      this.#page.focusAgain();
      return;
    }
    this.#page.focusComposer();
    await this.retry(turnId, choice);
  }

  /** Asks for another answer: from the chosen target, or that of a failed choice, or the chat's own. */
  async retry(turnId: string, chosen?: ChatTargetChoice): Promise<void> {
    const origin = this.#page.chat;
    const branch = visibleTurns(origin.session.transcript);
    const answer = branch.find(({ id }) => id === turnId);
    const choice = chosen ?? this.#failedChoiceOf(origin, answer);
    const question = branch.find(({ id }) => id === answer?.parentId);
    if (question?.kind !== "question") return;
    // The reported usage already includes the attachments.
    const isCounted = answer?.kind === "answer" && answer.usage !== undefined;
    const { text, attachments = [], prompt, instructions = [] } = question;
    const counted = { text: sentText(question), attachments: isCounted ? [] : attachments, instructions };
    const release = origin.hold();
    let target: Target | undefined;
    try {
      target = await this.#chooseTarget(origin, counted, choice, attachments);
      if (target === undefined) return;
      await origin.session.end(turnId);
    } finally {
      release();
    }
    if (this.#hasMovedFrom(target, choice)) return;
    if (target.chat === origin) {
      await origin.session.retry(turnId, choice);
      return;
    }
    // A new chat gets the question with its attachments, without the conversation before it.
    const along = { ...(prompt === undefined ? {} : { prompt }), instructions };
    const answered = target.chat.session.send(text, attachments, along, choice);
    this.#page.goTo(target.chat);
    await answered;
  }

  /**
   * The choice for one answer that failed, as the failure is about it. Undefined if the answer did not fail or was no
   * choice, or if its connection no longer exists.
   */
  #failedChoiceOf(chat: Chat, answer: Turn | undefined): ChatTargetChoice | undefined {
    if (answer?.kind !== "answer" || answer.state.kind !== "failed" || answer.isOneTime !== true)
      return undefined;
    const choice = receiverOf(answer);
    return this.#needs.selectionOf(chat, choice) === undefined ? undefined : choice;
  }

  /** Puts text back into a chat's composer, after anything typed there since. */
  restoreText(chat: Chat, text: string): void {
    this.#texts.restore(chat, { text });
    if (chat === this.#page.chat) this.#page.restore(text);
  }

  /**
   * Restores a text that the page sent while it was switching chats. A new question goes to the visible chat's
   * composer, an edit to its own chat.
   */
  restoreOutdated(chatId: string, message: Extract<FromWebview, { readonly type: "send" | "edit" }>): void {
    if (message.type === "send") {
      this.#texts.type({ chatId, text: "" });
      this.restoreText(this.#page.chat, message.text);
      return;
    }
    this.#texts.restoreEdit(chatId, message.turnId, message.text);
    this.#needs.dialogs.showWaiting();
  }

  /** Restores a question that was not sent. Saves it too, because a hidden page receives no messages. */
  #restore(chat: Chat, pending: PendingText, attachments: readonly Attachment[]): void {
    chat.attach(attachments);
    const isShown = chat === this.#page.chat;
    if (!isShown) this.#needs.dialogs.showWaiting();
    this.#texts.restore(chat, pending);
    if (isShown) this.#page.restore(pending.text, pending.turnId);
  }

  async #beginInTurn(
    origin: Chat,
    pending: PendingText,
    along: readonly Attachment[] | undefined,
  ): Promise<Begun | undefined> {
    const ahead = this.#beginning.get(origin);
    const begin = (): Promise<Begun | undefined> => this.#begin(origin, pending, along);
    const beginning = ahead === undefined ? begin() : ahead.then(begin);
    const settled = beginning.then(
      () => undefined,
      () => undefined,
    );
    this.#beginning.set(origin, settled);
    try {
      return await beginning;
    } finally {
      if (this.#beginning.get(origin) === settled) this.#beginning.delete(origin);
    }
  }

  /** Undefined if nothing was asked. */
  async #begin(
    origin: Chat,
    pending: PendingText,
    along: readonly Attachment[] | undefined,
  ): Promise<Begun | undefined> {
    if (origin.session.busy) return undefined;
    const { text, turnId } = pending;
    const question = await this.#prepare(origin, text, separateContextOf(origin, pending, along));
    if (question === undefined) return undefined;
    const target = question.target.chat;
    if (this.#page.chat !== origin || target.session.busy || this.#hasMovedFrom(question.target)) {
      if (target !== origin) this.#needs.release(target);
      return undefined;
    }
    const attachments = question.attachments ?? origin.attachments;
    const { session } = target;
    const answered =
      turnId !== undefined && target === origin
        ? session.edit(turnId, question.text, attachments, question.along)
        : session.send(question.text, attachments, question.along);
    if (target !== origin) this.#page.goTo(target);
    // If the session did not accept the question, keep the attachments. If there is a reason to report, `answered`
    // rejects with it.
    if (!session.busy) {
      await answered;
      return undefined;
    }
    if (question.attachments === undefined) origin.consumeAttachments();
    return { answered };
  }

  /**
   * Prepares a question: adds the prompt's text and attachments and the instructions, and removes keys. Without
   * `separate`, attaches the prompt's files to the composer, so that they remain if the question cannot be sent.
   * Undefined if the question is not to be sent. Nothing is lost then.
   */
  async #prepare(
    chat: Chat,
    typed: string,
    separate: SeparateContext | undefined,
  ): Promise<PreparedQuestion | undefined> {
    const { prompts, outgoing, context, dialogs } = this.#needs;
    await prompts.settled();
    // Wait for the composer's pending attachments. A question with separate attachments does not need them.
    if (separate === undefined) await context.settled(chat);
    const { attachments: attached, preparedPrompt } = separate ?? chat;
    const prepared = await prompts.prepare(typed, attached, preparedPrompt);
    if (prepared === undefined) return undefined;
    const { prompt, added } = prepared;
    const hasAnswer = visibleTurns(chat.session.transcript).some(({ kind }) => kind === "answer");
    if (prompt?.name === compactPrompt && prompt.place === undefined && !hasAnswer) {
      dialogs.showNotCompacted("no-answers");
      return undefined;
    }
    const all = joinAttachments(attached, added.attachments).attachments;
    // Read instructions before checking the caps, which count them.
    const instructions = await prompts.instructionsFor(all);
    const counted = { text: prompt?.text ?? typed, attachments: all, instructions };
    const target = await this.#chooseTarget(chat, counted);
    if (target === undefined) return undefined;
    const text = await outgoing.cleanQuestion(typed);
    // The prompt's text includes the typed text. Report a key in the typed text only once.
    const promptText = prompt && (await outgoing.cleanQuestion(prompt.text, text === typed));
    if (separate === undefined) await context.attach(added, chat);
    else dialogs.showRefusals(added.refusals);
    return {
      target,
      text,
      along: {
        instructions,
        ...(prompt === undefined ? {} : { prompt: { ...prompt, text: promptText ?? prompt.text } }),
      },
      ...(separate === undefined ? {} : { attachments: all }),
    };
  }

  /**
   * Asks for consent and checks the caps. Returns the same chat, or a new hidden one if the user wants that.
   * Undefined if the question is refused, or if the page has switched to another chat.
   *
   * @param carried the attachments that the request has, also if they are counted already
   */
  async #chooseTarget(
    origin: Chat,
    question: QuestionToCount,
    choice?: ChatTargetChoice,
    carried = question.attachments,
  ): Promise<Target | undefined> {
    const { caps, dialogs } = this.#needs;
    const connection = await dialogs.requireConnection(origin, choice);
    if (connection === undefined || !this.#mayCarry(origin, carried, choice)) return undefined;
    if (!(await this.#mayUseMode(origin, choice))) return undefined;
    const newChat = (): Chat => this.#newChatLike(origin, choice);
    const connectionName = connection.name;
    const [host, lastTurnId] = [this.#needs.originOf(connectionName), lastTurnIdOf(origin)];
    const targetIn = (chat: Chat): Target => ({
      chat,
      connectionName,
      host,
      lastTurnId: chat === origin ? lastTurnId : undefined,
    });
    const consent = await this.#mayGoTo(connection, origin.session.transcript);
    if (consent === "no") return undefined;
    const asked = consent === "in-new-chat" ? newChat() : origin;
    const answer = await caps.mayAsk(asked.id, asked.session.transcript, connection, question);
    if (answer === "no") return undefined;
    const target = targetIn(answer === "in-new-chat" && asked === origin ? newChat() : asked);
    if (this.#page.chat === origin && !this.#hasMovedFrom(target, choice)) return target;
    if (target.chat !== origin) this.#needs.release(target.chat);
    return undefined;
  }

  /** False, with a notice, if there is a PDF file and the model was not seen to read one. */
  #mayCarry(chat: Chat, attachments: readonly Attachment[], choice?: ChatTargetChoice): boolean {
    const takesPdf = attachments.some(isPdf) ? this.#needs.takesPdf(chat, choice) : true;
    if (takesPdf === true) return true;
    this.#needs.dialogs.showPdfRefused(chat, takesPdf, choice);
    return false;
  }

  /** Asks before a question is sent in Ask mode because the chat's mode cannot be used. */
  async #mayUseMode(chat: Chat, choice?: ChatTargetChoice): Promise<boolean> {
    const { mode } = chat;
    const obstacle = mode === "ask" ? undefined : this.#needs.obstacleTo(chat, choice);
    if (obstacle === undefined) return true;
    const isAgreed = await this.#needs.dialogs.confirmAskMode(chat, obstacle, choice);
    // A choice is for one answer only, so the chat keeps its mode.
    if (isAgreed && choice === undefined) chat.mode = "ask";
    return isAgreed;
  }

  /** Creates a chat with the mode, connection and model of another, or with the choice. */
  #newChatLike(origin: Chat, choice?: ChatTargetChoice): Chat {
    const chat = this.#needs.newChat();
    if (chat.mode !== origin.mode) chat.mode = origin.mode;
    const selection = this.#needs.selectionOf(origin, choice);
    if (selection !== undefined) chat.select(selection);
    return chat;
  }

  /** Asks before a conversation goes to another connection or host. The user can start a new chat instead. */
  async #mayGoTo({ name }: Connection, transcript: Transcript): Promise<CapAnswer> {
    const { currentNameOf, dialogs } = this.#needs;
    const last = lastAnswerOf(transcript);
    if (last === undefined) return "yes";
    if (currentNameOf(last) !== name) return dialogs.confirmOtherConnection(last.connection, name);
    const next = this.#originNow(last);
    if (last.origin === undefined || next === undefined || next === last.origin) return "yes";
    return dialogs.confirmOtherHost(name, last.origin, next);
  }

  /** Whether the answer came from the connection that has this name now, at its host now. */
  #isSource(answer: AnswerTurn, connectionName: string | undefined): boolean {
    if (connectionName === undefined || this.#needs.currentNameOf(answer) !== connectionName) return false;
    return this.#originNow(answer) === answer.origin;
  }

  /**
   * The origin that the answer's connection goes to now. Without a valid base URL, nothing is sent, so the origin is
   * the answer's. Undefined if the answer does not say its own.
   */
  #originNow(answer: AnswerTurn): string | undefined {
    if (answer.origin === undefined) return undefined;
    const name = this.#needs.currentNameOf(answer);
    return (name === undefined ? undefined : this.#needs.originOf(name)) ?? answer.origin;
  }

  /** Whether the chat has switched away from the allowed connection, host or branch. Shows a notice if so. */
  #hasMovedFrom({ chat, connectionName, host, lastTurnId }: Target, choice?: ChatTargetChoice): boolean {
    const { selectionOf, originOf } = this.#needs;
    const hasMoved =
      selectionOf(chat, choice)?.connection !== connectionName ||
      originOf(connectionName) !== host ||
      lastTurnIdOf(chat) !== lastTurnId;
    if (hasMoved) this.#needs.dialogs.showMoved();
    return hasMoved;
  }
}

/** The chat and connection that a question is allowed for. */
interface Target {
  /** A new chat is not visible yet. */
  readonly chat: Chat;
  /** The only connection that the question can go to. */
  readonly connectionName: string;
  /** The only origin that the question can go to. Undefined if the connection has no valid base URL. */
  readonly host: string | undefined;
  /** The end of the only branch that can be sent. Undefined in a new chat. */
  readonly lastTurnId: string | undefined;
}

function receiverOf({ connection, model, clientStyle }: AnswerTurn): ChatTargetChoice {
  return { connection, model, clientStyle };
}

/** The attachments of the answer's question, and of the messages that the answer took. */
function attachmentsUpTo({ session }: Chat, answer: AnswerTurn): readonly Attachment[] {
  const asked = session.transcript.turns.filter(({ id }) => id === answer.parentId);
  return [...asked, answer].flatMap(attachmentsOf);
}

/** The last turn of the displayed branch, even if it is still streaming. Undefined in an empty chat. */
function lastTurnIdOf({ session }: Chat): string | undefined {
  return visibleTurns(session.transcript).at(-1)?.id;
}

/** A question that can be sent without further waiting. */
interface PreparedQuestion {
  readonly target: Target;
  readonly text: string;
  readonly along: QuestionContext;
  /** The separate attachments together with the prompt's. Undefined if the composer's attachments are used. */
  readonly attachments?: readonly Attachment[];
}

/** An accepted question. `answered` settles when its answer has ended. */
interface Begun {
  readonly answered: Promise<void>;
}

/** Attachments of a question that does not use the composer's attachments. */
interface SeparateContext {
  readonly attachments: readonly Attachment[];
  /** Name of the prompt that the attachments were gathered for. Removed attachments are not added again. */
  readonly preparedPrompt?: string | undefined;
}

/** An edited question uses its own attachments, and a summary none. The composer keeps those of the next question. */
function separateContextOf(
  { session }: Chat,
  { text, turnId }: PendingText,
  along: readonly Attachment[] | undefined,
): SeparateContext | undefined {
  if (along !== undefined) return { attachments: along };
  if (turnId === undefined) return isCompactCommand(text) ? { attachments: [] } : undefined;
  const turn = session.transcript.turns.find(({ id }) => id === turnId);
  return turn?.kind === "question"
    ? { attachments: turn.attachments ?? [], preparedPrompt: turn.prompt?.name }
    : { attachments: [] };
}
