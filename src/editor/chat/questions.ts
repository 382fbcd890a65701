import type { AnswererChoice } from "../../chat/session/answerer.ts";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { QuestionToCount } from "../../chat/session/spentTokens.ts";
import { type AnswerTurn, sentText, visibleTurns } from "../../chat/transcript/transcript.ts";
import type { Chat } from "./chat.ts";
import type { GivenAlong, PreparedQuestion } from "./prepareQuestion.ts";

type ChooseTarget = (question: QuestionToCount) => Promise<Chat | undefined>;

export interface QuestionsOptions {
  /** Makes a question of what was typed; undefined where it is not to be sent. */
  readonly prepare: (
    chat: Chat,
    typed: string,
    given: GivenAlong | undefined,
    chooseTarget: ChooseTarget,
  ) => Promise<PreparedQuestion | undefined>;
  /** Where the question may be asked: there, or in a new chat. Undefined where it may not be. */
  readonly chooseTarget: (
    origin: Chat,
    question: QuestionToCount,
    newChat: () => Chat,
  ) => Promise<Chat | undefined>;
  readonly chooseAnswerer: (answer: AnswerTurn) => Promise<AnswererChoice | undefined>;
  /** Whom this workspace's questions go to; undefined while that is open. */
  readonly connectionName: () => string | undefined;
  /** Says that nothing was sent, since the workspace has gone on to another connection. */
  readonly tellMoved: () => void;
  /** Says in a new chat that a cut answer is not continued there. */
  readonly tellNotContinued: () => void;
  /** What asks for the rest of a cut answer, in the user's language. */
  readonly continueText: string;
}

/** What was typed, on its way to being a question. */
export interface AskedText {
  readonly text: string;
  /** The question whose place it is to take. */
  readonly turnId?: string | undefined;
  /** Whether it stood in the composer. */
  readonly isTyped: boolean;
}

/** The page that a question comes from. */
export interface QuestionPage {
  readonly chat: Chat;
  /** A chat that no page shows yet. */
  newChat(): Chat;
  /** Shows a chat that the user wants in place of this one. */
  goTo(chat: Chat): void;
  /** Lets go of a chat unless a page shows it. */
  letGo(chat: Chat): void;
  focusComposer(): void;
  /** Gives the focus back to where it was. */
  focusAgain(): void;
}

/** Where a text is kept until it is a question. */
export interface QuestionTexts {
  /** The text is on its way to being a question of this chat. */
  begin(chat: Chat, asked: AskedText): void;
  /** It has become one. */
  sent(chat: Chat, asked: AskedText): void;
  /** Gives back to the chat what was not sent. */
  restore(chat: Chat, asked: AskedText, attachments: readonly Attachment[]): void;
}

/** All ways to ask: each goes by consent, caps and the taking out of keys before anything is sent. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #page: QuestionPage;
  readonly #texts: QuestionTexts;

  constructor(options: QuestionsOptions, page: QuestionPage, texts: QuestionTexts) {
    this.#options = options;
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
    const leave = origin.listen({ eventsCame: () => undefined });
    const release = origin.hold();
    const asked = { text, turnId, isTyped: turnId === undefined && along === undefined };
    this.#texts.begin(origin, asked);
    let begun: Begun | undefined;
    try {
      begun = await this.#begin(origin, text, turnId, along);
    } finally {
      release();
      if (begun === undefined) this.#texts.restore(origin, asked, along ?? []);
      else this.#texts.sent(origin, asked);
      leave();
      this.#page.letGo(origin);
    }
    await begun?.answered;
  }

  /** A question like any other, so that what is shown is what was sent; in no other chat, where it means nothing. */
  async continue(): Promise<void> {
    const text = this.#options.continueText;
    const origin = this.#page.chat;
    if (origin.session.busy) return;
    const branch = visibleTurns(origin.session.transcript);
    const cut = branch.findLast((turn) => turn.kind === "answer");
    // Without any text there is nothing to go on from.
    if (cut === undefined || cut.text.trim() === "") return;
    // What goes on is the answer to that question, so by its instructions.
    const instructions = branch.findLast((turn) => turn.kind === "question")?.instructions ?? [];
    const release = origin.hold();
    const target = await this.#targetOf(origin, { text, attachments: [], instructions }).finally(release);
    if (target === undefined) return;
    if (target !== origin) {
      this.#page.goTo(target);
      this.#options.tellNotContinued();
      return;
    }
    // By whom it was begun, unless the conversation has gone to another connection since, which may not know them.
    const isSame = cut.connection === this.#options.connectionName();
    const choice = isSame ? { model: cut.model, clientStyle: cut.clientStyle } : undefined;
    await origin.session.send(text, [], { instructions }, choice);
  }

  /** By another model or client style, for this one answer. */
  async retryWith(turnId: string): Promise<void> {
    const { chat } = this.#page;
    const answer = visibleTurns(chat.session.transcript).find(({ id }) => id === turnId);
    if (answer?.kind !== "answer") return;
    const choice = await this.#options.chooseAnswerer(answer);
    if (this.#page.chat !== chat) return;
    if (choice === undefined) {
      this.#page.focusAgain();
      return;
    }
    this.#page.focusComposer();
    await this.retry(turnId, choice);
  }

  async retry(turnId: string, choice?: AnswererChoice): Promise<void> {
    const origin = this.#page.chat;
    const branch = visibleTurns(origin.session.transcript);
    const answer = branch.find(({ id }) => id === turnId);
    const question = branch.find(({ id }) => id === answer?.parentId);
    if (question?.kind !== "question") return;
    // What the service has counted once was counted with its attachments.
    const isCounted = answer?.kind === "answer" && answer.usage !== undefined;
    const { text, attachments = [], prompt, instructions = [] } = question;
    const target = await this.#targetOf(origin, {
      text: sentText(question),
      attachments: isCounted ? [] : attachments,
      instructions,
    });
    if (target === undefined) return;
    const allowed = this.#options.connectionName();
    await origin.session.end(turnId);
    if (this.#hasMovedFrom(allowed)) return;
    if (target === origin) return origin.session.retry(turnId, choice);
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    this.#page.goTo(target);
    const along = { ...(prompt === undefined ? {} : { prompt }), instructions };
    await target.session.send(text, attachments, along, choice);
  }

  /** Undefined where nothing was asked. */
  async #begin(
    origin: Chat,
    text: string,
    turnId: string | undefined,
    along: readonly Attachment[] | undefined,
  ): Promise<Begun | undefined> {
    if (origin.session.busy) return undefined;
    const given = givenOf(origin, turnId, along);
    let allowed: string | undefined;
    const question = await this.#options.prepare(origin, text, given, async (sent) => {
      const chosen = await this.#targetOf(origin, sent);
      allowed = this.#options.connectionName();
      return chosen;
    });
    if (question === undefined) return undefined;
    const { target } = question;
    if (this.#page.chat !== origin || target.session.busy || this.#hasMovedFrom(allowed)) {
      if (target !== origin) this.#page.letGo(target);
      return undefined;
    }
    if (target !== origin) this.#page.goTo(target);
    const attachments = question.attachments ?? origin.attachments;
    const { session } = target;
    const answered =
      turnId !== undefined && target === origin
        ? session.edit(turnId, question.text, attachments, question.along)
        : session.send(question.text, attachments, question.along);
    // Where it could not be asked, nothing of it is taken away, and this says why.
    if (!session.busy) {
      await answered;
      return undefined;
    }
    if (question.attachments === undefined) origin.takeAttachments();
    return { answered };
  }

  /** Whether a question would go to another connection than the one that it may go to. */
  #hasMovedFrom(allowed: string | undefined): boolean {
    const hasMoved = this.#options.connectionName() !== allowed;
    if (hasMoved) this.#options.tellMoved();
    return hasMoved;
  }

  /** Undefined also where the page has gone on to another chat: nobody wants the question there. */
  async #targetOf(origin: Chat, question: QuestionToCount): Promise<Chat | undefined> {
    const target = await this.#options.chooseTarget(origin, question, () => this.#page.newChat());
    if (target === undefined || this.#page.chat === origin) return target;
    if (target !== origin) this.#page.letGo(target);
    return undefined;
  }
}

/** An answer has begun to be waited for. */
interface Begun {
  readonly answered: Promise<void>;
}

/** An edited question takes its own attachments along; the next one's stay with the composer. */
function givenOf(
  { session }: Chat,
  turnId: string | undefined,
  along: readonly Attachment[] | undefined,
): GivenAlong | undefined {
  if (along !== undefined) return { attachments: along };
  if (turnId === undefined) return undefined;
  const turn = session.transcript.turns.find(({ id }) => id === turnId);
  return turn?.kind === "question"
    ? { attachments: turn.attachments ?? [], preparedPrompt: turn.prompt?.name }
    : { attachments: [] };
}
