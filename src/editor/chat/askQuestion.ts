import type { FromWebview } from "../../chat/page/protocol.ts";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import type { QuestionContext } from "../../chat/session/chatSession.ts";
import type { QuestionToCount } from "../../chat/session/spentTokens.ts";
import { type Attachment, joinAttachments } from "../../chat/transcript/attachments.ts";
import {
  type AnswerTurn,
  sentText,
  type Transcript,
  visibleTurns,
} from "../../chat/transcript/transcript.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import type { ChatPrompts } from "../prompts/chatPrompts.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import type { Chat } from "./chat.ts";
import type { CapAnswer, TokenCaps } from "./spending.ts";
import type { PendingText, UnsentTexts } from "./unsentTexts.ts";

/** What a question is made of, and who may refuse it. */
export interface QuestionNeeds {
  readonly prompts: Pick<ChatPrompts, "settled" | "prepare" | "instructionsFor">;
  readonly context: Pick<ChatContext, "settled" | "attach">;
  readonly outgoing: Pick<OutgoingTexts, "cleanQuestion">;
  readonly caps: Pick<TokenCaps, "mayAsk">;
  /** Whom this workspace's questions go to; undefined while that is open. */
  readonly connections: { readonly current: { readonly name: string } | undefined };
  readonly dialogs: QuestionDialogs;
  /** A chat that no page shows yet. */
  readonly newChat: () => Chat;
  /** Lets go of a chat unless a page shows it. */
  readonly release: (chat: Chat) => void;
}

/** What the user is asked and told on the way. */
export interface QuestionDialogs {
  /** The connection of this workspace, chosen now if need be; undefined where none was chosen. */
  readonly requireConnection: () => Promise<Connection | undefined>;
  /** Asks whether a conversation that was with one connection may go to another; both by their names. */
  readonly confirmOtherConnection: (before: string, next: string) => Promise<CapAnswer>;
  readonly chooseChatTarget: (answer: AnswerTurn) => Promise<ChatTargetChoice | undefined>;
  /** Says what a prompt could not bring along. */
  readonly showRefusals: (refusals: readonly string[]) => void;
  /** Says that nothing was sent, since the workspace has gone on to another connection. */
  readonly showMoved: () => void;
  /** Says in a new chat that a cut answer is not continued there. */
  readonly showNotContinued: () => void;
  /** Says that a text was not sent, and waits in a chat that the page no longer shows. */
  readonly showWaiting: () => void;
  /** What asks for the rest of a cut answer, in the user's language. */
  readonly continueText: string;
}

/** The page that a question comes from. */
export interface QuestionPage {
  /** The chat that it shows. */
  readonly chat: Chat;
  /** Shows a chat that the user wants in place of this one. */
  goTo(chat: Chat): void;
  /** Puts a text back into the composer, or into the editor of a question's turn. */
  restore(text: string, turnId?: string): void;
  focusComposer(): void;
  /** Gives the focus back to where it was. */
  focusAgain(): void;
}

/** All ways to ask: each goes by consent, caps and the taking out of keys before anything is sent. */
export class AskQuestion {
  readonly #needs: QuestionNeeds;
  readonly #page: QuestionPage;
  readonly #texts: UnsentTexts;
  /** The question of each chat that is being prepared; the next one waits for it, so that none overtakes another. */
  readonly #beginning = new WeakMap<Chat, Promise<unknown>>();

  constructor(needs: QuestionNeeds, page: QuestionPage, texts: UnsentTexts) {
    this.#needs = needs;
    this.#page = page;
    this.#texts = texts;
  }

  /**
   * Whatever comes in between, the text is a question or a draft of its chat at the end. With a turn it
   * takes that question's place, unless a new chat was begun, which has no such turn.
   */
  async send(text: string, turnId?: string, along?: readonly Attachment[]): Promise<void> {
    const origin = this.#page.chat;
    // Whichever chat the page shows meanwhile, this one is not let go of.
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

  /** A question like any other, so that what is shown is what was sent; in no other chat, where it means nothing. */
  async continue(): Promise<void> {
    const { dialogs } = this.#needs;
    const text = dialogs.continueText;
    const origin = this.#page.chat;
    if (origin.session.busy) return;
    const branch = visibleTurns(origin.session.transcript);
    const cut = branch.findLast((turn) => turn.kind === "answer");
    // Without any text there is nothing to go on from.
    if (cut === undefined || cut.text.trim() === "") return;
    // What goes on is the answer to that question, so by its instructions.
    const instructions = branch.findLast((turn) => turn.kind === "question")?.instructions ?? [];
    const release = origin.hold();
    const target = await this.#chooseTarget(origin, { text, attachments: [], instructions }).finally(release);
    if (target === undefined) return;
    if (target.chat !== origin) {
      this.#page.goTo(target.chat);
      dialogs.showNotContinued();
      return;
    }
    // By whom it was begun, unless the conversation has gone to another connection since, which may not know them.
    const isSame = cut.connection === target.connectionName;
    const choice = isSame ? { model: cut.model, clientStyle: cut.clientStyle } : undefined;
    await origin.session.send(text, [], { instructions }, choice);
  }

  /** By another model or client style, for this one answer. */
  async retryWith(turnId: string): Promise<void> {
    const { chat } = this.#page;
    const answer = visibleTurns(chat.session.transcript).find(({ id }) => id === turnId);
    if (answer?.kind !== "answer") return;
    const choice = await this.#needs.dialogs.chooseChatTarget(answer);
    if (this.#page.chat !== chat) return;
    if (choice === undefined) {
      this.#page.focusAgain();
      return;
    }
    this.#page.focusComposer();
    await this.retry(turnId, choice);
  }

  async retry(turnId: string, choice?: ChatTargetChoice): Promise<void> {
    const origin = this.#page.chat;
    const branch = visibleTurns(origin.session.transcript);
    const answer = branch.find(({ id }) => id === turnId);
    const question = branch.find(({ id }) => id === answer?.parentId);
    if (question?.kind !== "question") return;
    // What the service has counted once was counted with its attachments.
    const isCounted = answer?.kind === "answer" && answer.usage !== undefined;
    const { text, attachments = [], prompt, instructions = [] } = question;
    const target = await this.#chooseTarget(origin, {
      text: sentText(question),
      attachments: isCounted ? [] : attachments,
      instructions,
    });
    if (target === undefined) return;
    await origin.session.end(turnId);
    if (this.#hasMovedFrom(target)) return;
    if (target.chat === origin) return origin.session.retry(turnId, choice);
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    const along = { ...(prompt === undefined ? {} : { prompt }), instructions };
    const answered = target.chat.session.send(text, attachments, along, choice);
    this.#page.goTo(target.chat);
    await answered;
  }

  /** Puts a text back into a chat's composer, behind what was typed there since. */
  restoreText(chat: Chat, text: string): void {
    this.#texts.restore(chat, { text });
    if (chat === this.#page.chat) this.#page.restore(text);
  }

  /** What was sent as the page was going on to another chat; an edit's question is in no chat but its own. */
  restoreOutdated(chatId: string, message: Extract<FromWebview, { readonly type: "send" | "edit" }>): void {
    if (message.type === "send") {
      this.#texts.type({ chatId, text: "" });
      this.restoreText(this.#page.chat, message.text);
      return;
    }
    this.#texts.restoreEdit(chatId, message.turnId, message.text);
    this.#needs.dialogs.showWaiting();
  }

  /** Nothing that was to be sent is lost: the page may be hidden, and hear nothing. */
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

  /** Undefined where nothing was asked. */
  async #begin(
    origin: Chat,
    { text, turnId }: PendingText,
    along: readonly Attachment[] | undefined,
  ): Promise<Begun | undefined> {
    if (origin.session.busy) return undefined;
    const question = await this.#prepare(origin, text, separateContextOf(origin, turnId, along));
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
    // Where it could not be asked, nothing of it is taken away, and this says why.
    if (!session.busy) {
      await answered;
      return undefined;
    }
    if (question.attachments === undefined) origin.consumeAttachments();
    return { answered };
  }

  /**
   * Makes a question of what was typed: a prompt's text and attachments, the instructions, no key in it.
   * What a prompt brings along for the composer is attached there, so that it is there still where the
   * question cannot be sent. Undefined where it is not to be sent; nothing is lost then.
   */
  async #prepare(
    chat: Chat,
    typed: string,
    separate: SeparateContext | undefined,
  ): Promise<PreparedQuestion | undefined> {
    const { prompts, outgoing, context, dialogs } = this.#needs;
    await prompts.settled();
    // What the composer's own are attached with may still be gathered; a question with its own waits for none.
    if (separate === undefined) await context.settled(chat);
    const { attachments: attached, preparedPrompt } = separate ?? chat;
    const prepared = await prompts.prepare(typed, attached, preparedPrompt);
    if (prepared === undefined) return undefined;
    const { prompt, added } = prepared;
    const all = joinAttachments(attached, added.attachments).attachments;
    // Read before the caps are asked, which count them.
    const instructions = await prompts.instructionsFor(all);
    const counted = { text: prompt?.text ?? typed, attachments: all, instructions };
    const target = await this.#chooseTarget(chat, counted);
    if (target === undefined) return undefined;
    const text = await outgoing.cleanQuestion(typed);
    // What was typed stands in the prompt as well: a key in it is told of once.
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
   * Where the question may be asked of this workspace's connection: in the chat it was typed in, or in a new one, not
   * on the screen yet, where the user wants that. Undefined where it may not be asked, and where the page has gone
   * on to another chat: nobody wants the question there.
   */
  async #chooseTarget(origin: Chat, question: QuestionToCount): Promise<Target | undefined> {
    const { connections, caps, dialogs, newChat } = this.#needs;
    const connection = await dialogs.requireConnection();
    if (connection === undefined) return undefined;
    const consent = await this.#mayGoTo(connection, origin.session.transcript);
    if (consent === "no") return undefined;
    const asked = consent === "in-new-chat" ? newChat() : origin;
    const answer = await caps.mayAsk(asked.id, asked.session.transcript, connection, question);
    // What was allowed was allowed to go there, and nowhere else.
    if (answer === "no" || connections.current?.name !== connection.name) return undefined;
    const chat = answer === "in-new-chat" && asked === origin ? newChat() : asked;
    if (this.#page.chat === origin) return { chat, connectionName: connection.name };
    if (chat !== origin) this.#needs.release(chat);
    return undefined;
  }

  /** One client's conversation goes to another only if the user says so, else in a chat of its own. */
  async #mayGoTo(connection: Connection, transcript: Transcript): Promise<CapAnswer> {
    const before = visibleTurns(transcript).findLast((turn) => turn.kind === "answer")?.connection;
    if (before === undefined || before === connection.name) return "yes";
    return this.#needs.dialogs.confirmOtherConnection(before, connection.name);
  }

  /** Whether a question would go to another connection than the one that it may go to. */
  #hasMovedFrom({ connectionName }: Target): boolean {
    const hasMoved = this.#needs.connections.current?.name !== connectionName;
    if (hasMoved) this.#needs.dialogs.showMoved();
    return hasMoved;
  }
}

/** Where a question may be asked. */
interface Target {
  /** A new one is not on the screen yet. */
  readonly chat: Chat;
  /** The only connection that it may go to. */
  readonly connectionName: string;
}

/** All that a question needs, so that it can be sent without a further wait. */
interface PreparedQuestion {
  readonly target: Target;
  readonly text: string;
  readonly along: QuestionContext;
  /** Those that were given with what the prompt adds; absent where they are the composer's. */
  readonly attachments?: readonly Attachment[];
}

/** An answer has begun to be waited for. */
interface Begun {
  readonly answered: Promise<void>;
}

/** What goes along with a question that is not the composer's: the composer keeps its own. */
interface SeparateContext {
  readonly attachments: readonly Attachment[];
  /** The prompt that they were gathered for before; what was taken off again stays off. */
  readonly preparedPrompt?: string | undefined;
}

/** An edited question takes its own attachments along; the next one's stay with the composer. */
function separateContextOf(
  { session }: Chat,
  turnId: string | undefined,
  along: readonly Attachment[] | undefined,
): SeparateContext | undefined {
  if (along !== undefined) return { attachments: along };
  if (turnId === undefined) return undefined;
  const turn = session.transcript.turns.find(({ id }) => id === turnId);
  return turn?.kind === "question"
    ? { attachments: turn.attachments ?? [], preparedPrompt: turn.prompt?.name }
    : { attachments: [] };
}
