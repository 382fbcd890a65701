import * as vscode from "vscode";
import type { AnswererChoice } from "../../chat/answerer.ts";
import type { Attachment } from "../../chat/attachments.ts";
import { type AnswerTurn, sentText, visibleTurns } from "../../chat/transcript.ts";
import type { Connection } from "../../connection/connection.ts";
import { requireConnection } from "../chooseConnection.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";
import type { Chat } from "./chat.ts";
import { mayGoTo } from "./chatConsent.ts";
import { prepareQuestion, type QuestionPreparers } from "./prepareQuestion.ts";
import type { TokenCaps } from "./tokenCaps.ts";

export interface QuestionsOptions extends QuestionPreparers {
  readonly connections: WorkspaceConnections;
  readonly caps: TokenCaps;
  readonly chooseAnswerer: (
    connection: Connection,
    answer: AnswerTurn,
  ) => Promise<AnswererChoice | undefined>;
  readonly keepDraft: (chatId: string, draft: string) => void;
}

/** The page that a question comes from. */
export interface QuestionPage {
  /** Another one once the user wants a new chat instead. */
  readonly chat: Chat;
  showNewChat(): void;
  /** Gives back what was not sent. */
  restore(text: string, attachments: readonly Attachment[]): void;
  focusComposer(): void;
  /** Gives the focus back to where it was. */
  focusAgain(): void;
}

/** All ways to ask: each goes by consent, caps and the taking out of keys before anything is sent. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #page: QuestionPage;

  constructor(options: QuestionsOptions, page: QuestionPage) {
    this.#options = options;
    this.#page = page;
  }

  /**
   * Asks which connection first, where none is bound; the text goes back to the composer on "no". With
   * a turn it takes that question's place, unless a new chat was begun, which has no such turn.
   */
  async send(text: string, turnId?: string, along?: readonly Attachment[]): Promise<void> {
    const before = this.#page.chat;
    // An edited question takes its own attachments along; the next one's stay with the composer.
    const given = along ?? (turnId === undefined ? undefined : attachmentsOf(before, turnId));
    const question = before.session.busy
      ? undefined
      : await prepareQuestion(this.#options, before, text, given, (sent, attached) =>
          this.#mayBeAsked(sent, attached),
        );
    const { session } = this.#page.chat;
    if (question === undefined || session.busy) {
      this.#page.restore(text, along ?? []);
      return;
    }
    const attachments = question.attachments ?? before.takeAttachments();
    if (turnId !== undefined && this.#page.chat === before) {
      return session.edit(turnId, question.text, attachments, question.along);
    }
    if (along === undefined) this.#options.keepDraft(before.id, "");
    await session.send(question.text, attachments, question.along);
  }

  /** A question like any other, so that what is shown is what was sent; in no other chat, where it means nothing. */
  async continue(): Promise<void> {
    const text = vscode.l10n.t("Continue exactly where you stopped, without repeating anything.");
    const before = this.#page.chat;
    if (before.session.busy || !(await this.#mayBeAsked(text))) return;
    if (this.#page.chat === before) await before.session.send(text);
  }

  /** By another model or client style, for this one answer. */
  async retryWith(turnId: string): Promise<void> {
    const { connections, chooseAnswerer } = this.#options;
    const connection = await requireConnection(connections);
    const answer = visibleTurns(this.#page.chat.session.transcript).find(({ id }) => id === turnId);
    if (connection === undefined || answer?.kind !== "answer") return;
    const chat = this.#page.chat;
    const choice = await chooseAnswerer(connection, answer);
    if (this.#page.chat !== chat) return;
    if (choice === undefined) {
      this.#page.focusAgain();
      return;
    }
    this.#page.focusComposer();
    await this.retry(turnId, choice);
  }

  async retry(turnId: string, choice?: AnswererChoice): Promise<void> {
    const before = this.#page.chat;
    const branch = visibleTurns(before.session.transcript);
    const answer = branch.find(({ id }) => id === turnId);
    const question = branch.find(({ id }) => id === answer?.parentId);
    if (question?.kind !== "question") return;
    // What the service has counted once was counted with its attachments.
    const isCounted = answer?.kind === "answer" && answer.usage !== undefined;
    const { text, attachments = [], prompt, instructions = [] } = question;
    if (!(await this.#mayBeAsked(sentText(question), isCounted ? [] : attachments))) return;
    await before.session.end(turnId);
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    if (this.#page.chat === before) return before.session.retry(turnId, choice);
    const along = { ...(prompt === undefined ? {} : { prompt }), instructions };
    await this.#page.chat.session.send(text, attachments, along, choice);
  }

  /** Whether this workspace's connection may be sent the chat, or a new one the user wants instead. */
  async #mayBeAsked(text: string, attachments: readonly Attachment[] = []): Promise<boolean> {
    const connection = await requireConnection(this.#options.connections);
    if (connection === undefined) return false;
    return (
      this.#follow(await mayGoTo(connection, this.#page.chat.session.transcript)) &&
      this.#follow(
        await this.#options.caps.mayAsk(
          this.#page.chat.id,
          this.#page.chat.session.transcript,
          connection,
          text,
          attachments,
        ),
      )
    );
  }

  #follow(answer: "yes" | "in-new-chat" | "no"): boolean {
    if (answer === "in-new-chat") this.#page.showNewChat();
    return answer !== "no";
  }
}

function attachmentsOf(chat: Chat, turnId: string): readonly Attachment[] {
  const turn = chat.session.transcript.turns.find(({ id }) => id === turnId);
  return turn?.kind === "question" ? (turn.attachments ?? []) : [];
}
