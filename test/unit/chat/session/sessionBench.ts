import assert from "node:assert/strict";
import type { AnswerTools } from "../../../../src/chat/agent/answerTools.ts";
import type { ModelLimits } from "../../../../src/chat/session/contextWindow.ts";
import type { ChatTarget, ChatTargetChoice } from "../../../../src/chat/session/chatTarget.ts";
import { isCompaction } from "../../../../src/chat/transcript/compaction.ts";
import { ChatSession } from "../../../../src/chat/session/chatSession.ts";
import {
  emptyTranscript,
  reduceTranscript,
  type AnswerTurn,
  type ChatSelection,
  type SettledState,
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../../../../src/chat/transcript/transcript.ts";
import type { Message } from "../../../../src/protocol/conversation/conversation.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { answerBy, createTestClient } from "../../client/request/testClient.ts";

const transport = createUndiciTransport({ strictCertificates: true });

/** A session with the real client. `page` is a second transcript, built only from events, as in the page. */
export class SessionBench {
  readonly session: ChatSession;
  page: Transcript = emptyTranscript;
  style: ClientStyle = "chat-completions";
  model = "service-core";
  /** The selection that the target has. */
  selection: ChatSelection | undefined;
  stallSeconds = 0;
  /** The state last passed to `onSettled`. */
  settled: SettledState | undefined;
  key: string;
  onEvents: (events: readonly TranscriptEvent[]) => void = () => undefined;
  /** The tools of the next answers. */
  tools: AnswerTools | undefined;
  room: ModelLimits | undefined;
  /** The messages of the last request. */
  sent: readonly Message[] = [];
  /** The origin that the target names. Requests go to the service in any case. */
  namedOrigin: string;
  /** The messages of each request, retries included. */
  readonly requests: (readonly Message[])[] = [];
  readonly #origin: string;
  #ids = 0;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.namedOrigin = origin;
    this.key = key;
    this.session = new ChatSession({
      target: (question, choice) => this.#target(isCompaction(question) ? undefined : this.tools, choice),
      transcript: emptyTranscript,
      onEvents: (events) => {
        this.page = events.reduce(reduceTranscript, this.page);
        this.onEvents(events);
      },
      now: () => new Date("2026-01-02T03:04:05Z"),
      newId: () => `turn-${(this.#ids += 1)}`,
    });
  }

  #target(tools: AnswerTools | undefined, choice?: ChatTargetChoice): ChatTarget {
    const { key } = this;
    const { model, clientStyle: style } = choice ?? { model: this.model, clientStyle: this.style };
    const origin = this.#origin;
    const client = createTestClient({ transport, origin, key });
    const answer = answerBy(client, style, {
      model,
      maxTokens: 2000,
      ...(tools === undefined ? {} : { tools: tools.offered }),
    });
    return {
      connection: "Test",
      hasGiven: () => true,
      origin: this.namedOrigin,
      model,
      clientStyle: style,
      taken: () => this.room ?? {},
      stallSeconds: this.stallSeconds,
      onSettled: (state) => {
        this.settled = state;
      },
      ...(this.selection === undefined ? {} : { selection: this.selection }),
      ...(tools === undefined ? {} : { tools }),
      ...(this.room === undefined ? {} : { room: this.room }),
      answer: (messages, ...rest) => {
        this.sent = messages;
        this.requests.push(messages);
        return answer(messages, ...rest);
      },
      diagnose: async (failure) => diagnose(failure, { origin, model, now: Date.now() }, createTranslate()),
    };
  }

  get turns(): readonly Turn[] {
    return visibleTurns(this.session.transcript);
  }

  get lastAnswer(): AnswerTurn {
    const last = this.turns.at(-1);
    assert.ok(last?.kind === "answer");
    return last;
  }

  /** Resolves when the first text arrives. */
  firstText(): Promise<void> {
    return this.next(({ type }) => type === "text-delta");
  }

  /** Resolves at the next matching event. */
  next(isMeant: (event: TranscriptEvent) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.onEvents = (events) => {
        if (events.some(isMeant)) resolve();
      };
    });
  }
}
