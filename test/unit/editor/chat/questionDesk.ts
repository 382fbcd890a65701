import assert from "node:assert/strict";
import type { ChatTarget, ChatTargetChoice } from "../../../../src/chat/session/chatTarget.ts";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import { emptyTranscript, visibleTurns } from "../../../../src/chat/transcript/transcript.ts";
import type { Message } from "../../../../src/protocol/conversation/conversation.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";
import {
  AskQuestion,
  type QuestionNeeds,
  type QuestionPage,
} from "../../../../src/editor/chat/askQuestion.ts";
import type { QuestionDialogs } from "../../../../src/editor/chat/questionDialogs.ts";
import type { CapAnswer } from "../../../../src/editor/chat/spending.ts";
import { UnsentTexts } from "../../../../src/editor/chat/unsentTexts.ts";
import { type Connection, readConnections } from "../../../../src/connection/setup/connection.ts";
import { TestTools } from "../../../support/testTools.ts";

const rules: Attachment = {
  id: "rules",
  kind: "instructions",
  name: "AGENTS.md",
  detail: "AGENTS.md",
  characters: 9,
  content: { type: "text", text: "Be brief.", language: "markdown" },
};
export const attachment: Attachment = { ...rules, id: "a", kind: "file", name: "a.ts" };

/** Answers that a test gives in place of VS Code and the user. */
interface Answers {
  /** Whether the spending caps allow the question. A test can change the page before it replies. */
  readonly mayAsk?: () => CapAnswer | Promise<CapAnswer>;
  /** Gathers the attachments of a prompt. */
  readonly prepare?: QuestionNeeds["prompts"]["prepare"];
  /** Resolves when attachments that are being read are there. */
  readonly settled?: () => Promise<unknown>;
  readonly cleanQuestion?: (text: string) => Promise<string>;
  readonly connectionName?: () => string;
  readonly currentNameOf?: QuestionNeeds["currentNameOf"];
  /** The origin that every connection goes to. */
  readonly origin?: () => string;
  readonly obstacleTo?: QuestionNeeds["obstacleTo"];
  readonly takesPdf?: QuestionNeeds["takesPdf"];
  readonly dialogs?: Partial<QuestionDialogs>;
}

/** A page with its chats. VS Code's dialogs are answered by the test. */
export class Desk implements QuestionPage {
  chat: Chat;
  /** The error to throw if no connection is bound. Undefined if a connection is bound. */
  unbound: Error | undefined;
  isClosing = false;
  /** Whether the model's answers have text besides reasoning. */
  answersText = true;
  readonly sentMessages: (readonly Message[])[] = [];
  savedAttachments: readonly Attachment[] = [];
  /** Texts returned to the composer. */
  readonly restored: string[] = [];
  /** Stored drafts by chat ID. */
  readonly stored = new Map<string, string>();
  /** Stored edits of questions by chat ID and turn ID. */
  readonly storedEdits = new Map<string, Readonly<Record<string, string>>>();
  /** IDs of questions whose editors were reopened. */
  readonly reopened: string[] = [];
  /** How often the user was told that a text waits in another chat. */
  toldWaiting = 0;
  readonly notCompacted: string[] = [];
  readonly #chats: Chat[] = [];
  readonly #origin: () => string;
  readonly texts = new UnsentTexts(
    (chatId, draft) => {
      this.stored.set(chatId, draft);
      const chat = this.#chats.find(({ id }) => id === chatId);
      if (chat !== undefined) chat.draft = draft;
    },
    {
      of: (chatId) => this.storedEdits.get(chatId) ?? {},
      save: (chatId, turnId, text) => {
        const { [turnId]: _, ...others } = this.storedEdits.get(chatId) ?? {};
        this.storedEdits.set(chatId, text === "" ? others : { ...others, [turnId]: text });
      },
    },
  );
  readonly questions: AskQuestion;

  constructor(answers: Answers = {}) {
    this.chat = this.newChat();
    const { connectionName = () => "Acme", origin = () => "https://one.example" } = answers;
    this.#origin = origin;
    const needs: QuestionNeeds = {
      prompts: {
        settled: () => Promise.resolve(),
        prepare: answers.prepare ?? (() => Promise.resolve({ added: nothingAdded })),
        instructionsFor: () => Promise.resolve([rules]),
      },
      context: { settled: async () => void (await answers.settled?.()), attach: () => Promise.resolve(0) },
      outgoing: { cleanQuestion: answers.cleanQuestion ?? ((text) => Promise.resolve(text)) },
      caps: { mayAsk: async () => (await answers.mayAsk?.()) ?? "yes" },
      selectionOf: (chat, choice) =>
        choice ?? chat.selection ?? { connection: connectionName(), model: "service-core" },
      currentNameOf: answers.currentNameOf ?? (({ connection }) => connection),
      originOf: () => this.#origin(),
      dialogs: {
        requireConnection: (_chat, choice) =>
          Promise.resolve(connectionNamed(choice?.connection ?? connectionName())),
        confirmOtherConnection: () => Promise.resolve("yes"),
        confirmOtherHost: () => assert.fail("the host stays the same"),
        confirmAskMode: () => assert.fail("the mode can be used"),
        showPdfRefused: () => assert.fail("the model reads PDF files"),
        chooseChatTarget: () => Promise.resolve(undefined),
        showRefusals: (refusals) => assert.deepEqual(refusals, []),
        showStillAnswering: () => assert.fail("the chat's connection answers"),
        showMoved: () => assert.fail("the chat stays where it is"),
        showNotResumed: () => undefined,
        showNotContinued: () => assert.fail("nothing is continued elsewhere"),
        showWaiting: () => void (this.toldWaiting += 1),
        showNotCompacted: (reason) => void this.notCompacted.push(reason),
        continueText: "Continue.",
        ...answers.dialogs,
      },
      obstacleTo: answers.obstacleTo ?? (() => undefined),
      takesPdf: answers.takesPdf ?? (() => undefined),
      newChat: () => this.newChat(),
      release: () => undefined,
    };
    this.questions = new AskQuestion(needs, this, this.texts);
  }

  newChat(): Chat {
    let ids = 0;
    const id = `chat-${this.#chats.length}`;
    const chat = new Chat({
      id,
      title: null,
      draft: "",
      log: () => Promise.resolve(),
      transcript: emptyTranscript,
      saveAttachments: (attachments) => (this.savedAttachments = attachments),
      target: (_question, choice) => this.#target(choice),
      now: () => new Date("2026-01-02T03:04:05Z"),
      newId: () => `${id}-turn-${(ids += 1)}`,
    });
    this.#chats.push(chat);
    return chat;
  }

  goTo(chat: Chat): void {
    this.chat = chat;
  }

  restore(text: string, turnId?: string): void {
    if (turnId === undefined) this.restored.push(text);
    else this.reopened.push(turnId);
  }

  type(text: string): void {
    this.texts.type({ chatId: this.chat.id, text });
  }

  focusComposer(): void {}
  focusAgain(): void {}

  /** Tools and requests of an answer that works. Undefined for answers without tools. */
  working: Pick<ChatTarget, "tools" | "answer"> | undefined;

  #target(choice?: ChatTargetChoice): ChatTarget | undefined {
    if (this.isClosing) return undefined;
    if (this.unbound !== undefined) throw this.unbound;
    const { sentMessages } = this;
    const answerStart = this.answersText ? [{ type: "text-delta", text: "Half an" } as const] : [];
    return {
      connection: choice?.connection ?? "Acme",
      hasGiven: () => true,
      origin: this.#origin(),
      model: choice?.model ?? "service-core",
      clientStyle: choice?.clientStyle ?? "chat-completions",
      taken: () => ({}),
      stallSeconds: 0,
      answer: async (messages, _signal, { onParts }) => {
        sentMessages.push(messages);
        onParts([{ type: "reasoning-delta", text: "Let me think" }, ...answerStart]);
        onParts([{ type: "finish", reason: "length", wireReason: "length" }]);
      },
      diagnose: () => Promise.reject(new Error("Unexpected diagnosis")),
      onSettled: () => undefined,
      ...this.working,
    };
  }
}

/** An answer whose only call waits until the test ends it. */
export class WorkingAnswer {
  readonly tools = new TestTools();
  readonly called = Promise.withResolvers<undefined>();
  readonly finish = Promise.withResolvers<undefined>();
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.tools.result = async () => {
      this.called.resolve(undefined);
      await this.finish.promise;
      return { outcome: "done", text: "text" };
    };
    desk.working = { tools: this.tools, answer: (...request) => this.#answer(...request) };
  }

  async #answer(...[messages, , { onParts }]: Parameters<ChatTarget["answer"]>): Promise<void> {
    const { sentMessages } = this.#desk;
    sentMessages.push(messages);
    const given = { kind: "object", value: { path: "a.ts" } } as const;
    if (sentMessages.length === 1)
      onParts([{ type: "tool-call", id: "1", name: "read_file", arguments: given }]);
    const reason = sentMessages.length === 1 ? "tool-calls" : "stop";
    onParts([{ type: "finish", reason, wireReason: reason }]);
  }
}

export const nothingAdded = { attachments: [], refusals: [] };

function connectionNamed(name: string): Connection {
  const [connection] = readConnections([{ name, baseUrl: "https://service.example/v1" }]).connections;
  return connection ?? assert.fail("readable");
}

export const questionsOf = ({ session }: Chat): readonly string[] =>
  visibleTurns(session.transcript).flatMap((turn) => (turn.kind === "question" ? [turn.text] : []));
