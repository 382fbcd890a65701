import { randomUUID } from "node:crypto";
import type { AnswerTools } from "../../../src/chat/agent/answerTools.ts";
import type { ChatTarget, ChatTargetChoice } from "../../../src/chat/session/chatTarget.ts";
import { type Attachment, withoutContent } from "../../../src/chat/transcript/attachments.ts";
import {
  type ContextOffer,
  type ContextRequest,
  trimmedTokens,
  type ChatHeader,
  type FromWebview,
  type ToWebview,
} from "../../../src/chat/page/protocol.ts";
import type { Price } from "../../../src/chat/transcript/usage.ts";
import { EventBatcher, withoutContents, withoutEventContents } from "../../../src/chat/page/eventBatcher.ts";
import { isAboutChat, readPageMessage } from "../../../src/chat/page/messageSchema.ts";
import { emptyTranscript, type Transcript } from "../../../src/chat/transcript/transcript.ts";
import { isCompactCommand } from "../../../src/chat/prompts/promptCommand.ts";
import { readAddress } from "../../../src/client/http/address.ts";
import { ApiKey } from "../../../src/client/key/apiKey.ts";
import { KeySeal } from "../../../src/client/key/keySeal.ts";
import { InferenceClient } from "../../../src/client/request/inferenceClient.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import { diagnose } from "../../../src/connection/diagnosis/diagnosis.ts";
import { Chat } from "../../../src/editor/chat/chat.ts";
import {
  createImageAttachment,
  createTextAttachment,
} from "../../../src/editor/attachments/textAttachment.ts";
import { createTranslate } from "../../../src/text/translate.ts";
import type { Effort } from "../../../src/protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { testLimits } from "../../unit/client/http/requests.ts";
import { answerBy } from "../../unit/client/request/testClient.ts";

export interface PageHostOptions {
  readonly origin: string;
  readonly key: string;
  readonly clientStyle?: ClientStyle;
  readonly model?: string;
  /** An earlier conversation. */
  readonly transcript?: Transcript;
  readonly draft?: string;
  readonly attachments?: readonly Attachment[];
  /** Overrides for the header of a connection named "Acme". */
  readonly header?: Partial<ChatHeader>;
  readonly translations?: Readonly<Record<string, string>>;
  /** Names of files in the workspace. */
  readonly files?: readonly string[];
  /** The offers after `#` (context) or `/` (prompts); undefined if the test itself answers. */
  readonly offers?: (kind: "context" | "prompts", typed: string) => readonly ContextOffer[] | undefined;
  /** The attachments of an offer, by its ID; empty by default. */
  readonly attached?: (offerId: string) => readonly Attachment[];
  /** The tools of the answers; absent in Ask mode. */
  readonly tools?: AnswerTools;
  readonly price?: Price;
  /** Sent with each request. */
  readonly effort?: Effort;
  /** Seconds of silence before a notice; 0, the default, disables it. */
  readonly stallSeconds?: number;
}

const transport = createUndiciTransport({ strictCertificates: true });

/**
 * The host of one page in plain Node: a real chat with the real client and the page's real protocol. Actions that need
 * VS Code (lists, files, clipboard) are only recorded in `received`.
 */
export class PageHost {
  /** Valid messages of the page, oldest first. */
  readonly received: FromWebview[] = [];
  /** Messages of the page that violate the protocol. */
  readonly refused: unknown[] = [];
  chat: Chat;
  clientStyle: ClientStyle;
  model: string;
  readonly #options: PageHostOptions;
  readonly #client: InferenceClient;
  readonly #deliver: (message: ToWebview) => void;
  readonly #waiting = new Set<(message: FromWebview) => void>();
  readonly #edits = new Map<string, string>();
  readonly #events = new EventBatcher((events) =>
    this.#deliver({ type: "transcript-events", events: events.map(withoutEventContents) }),
  );
  #leaveChat: () => void;

  /** @param deliver sends a message to the page */
  constructor(options: PageHostOptions, deliver: (message: ToWebview) => void) {
    this.#options = options;
    this.#deliver = deliver;
    this.clientStyle = options.clientStyle ?? "chat-completions";
    this.model = options.model ?? "service-core";
    const reading = readAddress(options.origin);
    if (reading.kind === "problem") throw new Error(`Invalid base URL: ${reading.problem}`);
    this.#client = new InferenceClient({
      transport,
      address: reading.address,
      key: new ApiKey(options.key, KeySeal.of(reading.address)),
      // In ms. The longest answers take long on a busy machine.
      limits: { ...testLimits, totalMs: 10 * 60_000 },
      userAgent: "inference-chat/test",
      onCall: () => undefined,
    });
    this.chat = this.#createChat(options.transcript, options.draft, options.attachments);
    this.#leaveChat = this.#listen();
  }

  post(message: ToWebview): void {
    this.#events.flush();
    this.#deliver(message);
  }

  /** Handles a message that the page posted. */
  receive(posted: unknown): void {
    const read = readPageMessage(posted);
    if (read === undefined) {
      this.refused.push(posted);
      return;
    }
    const { chatId, message } = read;
    this.received.push(message);
    // Ignore a late message about another chat, but return its text.
    const isLate = chatId !== null && chatId !== this.chat.id && isAboutChat(message);
    if (!isLate) this.#handle(message);
    else if (message.type === "send") this.post({ type: "restore-draft", text: message.text });
    for (const hear of this.#waiting) hear(message);
  }

  /** Resolves with the page's next message of a type. */
  next<Type extends FromWebview["type"]>(type: Type): Promise<Extract<FromWebview, { readonly type: Type }>> {
    return this.#nextThat((message) => (isOf(message, type) ? message : undefined));
  }

  /** Resolves with the page's next request of a type about attachments. */
  nextRequest<Type extends ContextRequest["type"]>(
    type: Type,
  ): Promise<Extract<ContextRequest, { readonly type: Type }>> {
    return this.#nextThat((message) =>
      message.type === "context" && isOf(message.request, type) ? message.request : undefined,
    );
  }

  #nextThat<Found>(find: (message: FromWebview) => Found | undefined): Promise<Found> {
    return new Promise((resolve) => {
      const hear = (message: FromWebview): void => {
        const found = find(message);
        if (found === undefined) return;
        this.#waiting.delete(hear);
        resolve(found);
      };
      this.#waiting.add(hear);
    });
  }

  /** The page's requests of a type about attachments so far. */
  allRequests<Type extends ContextRequest["type"]>(
    type: Type,
  ): readonly Extract<ContextRequest, { readonly type: Type }>[] {
    return this.all("context").flatMap(({ request }) => (isOf(request, type) ? [request] : []));
  }

  /** The page's messages of a type so far. */
  all<Type extends FromWebview["type"]>(
    type: Type,
  ): readonly Extract<FromWebview, { readonly type: Type }>[] {
    return this.received.filter((message) => isOf(message, type));
  }

  /** Shows a new chat like the command does, with the focus in the composer. */
  newChat(): void {
    this.show(this.#createChat());
    this.post({ type: "focus-composer" });
  }

  /** Shows another chat. The previous chat continues in the background. */
  show(chat: Chat): void {
    this.#leaveChat();
    this.chat = chat;
    this.#leaveChat = this.#listen();
    this.postSnapshot();
  }

  postSnapshot(): void {
    const { id, shownTranscript, draft, attachments } = this.chat;
    this.post({
      type: "snapshot",
      snapshot: {
        chatId: id,
        transcript: withoutContents(shownTranscript),
        header: this.header,
        draft,
        edits: Object.fromEntries(this.#edits),
        attachments: attachments.map(withoutContent),
        translations: this.#options.translations ?? {},
      },
    });
  }

  get header(): ChatHeader {
    return {
      connection: "Acme",
      choosable: true,
      model: this.model,
      clientStyle: this.clientStyle,
      mode: this.#options.tools?.mode ?? "ask",
      room: { maxTokens: 4096, charactersPerToken: 4 },
      ...this.#options.header,
    };
  }

  dispose(): void {
    this.chat.session.stop();
    this.#leaveChat();
    this.#events.dispose();
  }

  #createChat(transcript = emptyTranscript, draft = "", attachments: readonly Attachment[] = []): Chat {
    return new Chat({
      id: randomUUID(),
      title: null,
      draft,
      attachments,
      transcript,
      target: (_question, choice) => this.#target(choice),
      log: () => Promise.resolve(),
      now: () => new Date(),
      newId: randomUUID,
    });
  }

  #target(choice?: ChatTargetChoice): ChatTarget {
    const { origin, price, effort, stallSeconds = 0, tools, translations } = this.#options;
    const { model, clientStyle } = choice ?? this;
    return {
      connection: "Acme",
      hasGiven: () => true,
      model,
      clientStyle,
      taken: () => ({}),
      stallSeconds,
      ...(price === undefined ? {} : { price }),
      ...(tools === undefined ? {} : { tools }),
      onSettled: () => undefined,
      answer: answerBy(this.#client, clientStyle, {
        model,
        maxTokens: 1_000_000,
        ...(effort === undefined ? {} : { effort }),
        ...(tools === undefined ? {} : { tools: tools.offered }),
      }),
      diagnose: (failure) =>
        Promise.resolve(diagnose(failure, { origin, model, now: Date.now() }, createTranslate(translations))),
    };
  }

  #listen(): () => void {
    return this.chat.listen({
      onEvents: (events) => this.#events.add(events),
      onAttachments: () =>
        this.post({ type: "attachments", attachments: this.chat.attachments.map(withoutContent) }),
      onReplaced: () => this.postSnapshot(),
    });
  }

  /** As in the product, a streaming answer with tools takes the text and the attachments. */
  #send(text: string): void {
    const { session } = this.chat;
    if (!session.takesMessages) {
      void session.send(text, isCompactCommand(text) ? [] : this.chat.consumeAttachments());
      return;
    }
    const attachments = this.chat.queueAttachments();
    void session
      .enqueue({ text, ...(attachments.length === 0 ? {} : { attachments }) })
      ?.then((isTaken) => this.chat.settleQueued(attachments, isTaken));
  }

  #handle(message: FromWebview): void {
    const { session } = this.chat;
    switch (message.type) {
      case "ready":
        this.postSnapshot();
        return;
      case "focused":
        this.#events.hasFocus = true;
        this.post({ type: "voice", speaks: true });
        return;
      case "blurred":
        this.#events.hasFocus = false;
        return;
      case "typing":
        return;
      case "send":
        this.chat.draft = "";
        this.#send(message.text);
        return;
      case "edit":
        this.#edits.delete(message.turnId);
        void session.edit(message.turnId, message.text);
        return;
      case "retry":
        void session.end(message.turnId).then(() => session.retry(message.turnId));
        return;
      case "stop":
        session.stop();
        return;
      case "reply-call":
        session.replyToCall(message.turnId, message.call, message.reply);
        return;
      case "reply-pause":
        session.replyToPause(message.turnId, message.goesOn);
        return;
      case "resume":
        void session.resume(message.turnId);
        return;
      case "changes":
        if (message.action !== "review")
          session.settleChanges(message.turnId, message.action === "keep" ? "kept" : "undone");
        return;
      case "retry-now":
        session.retryNow();
        return;
      case "keep-waiting":
        session.keepWaiting();
        return;
      case "continue":
        void session.send("Continue");
        return;
      case "select-version":
        session.selectVersion(message.turnId);
        return;
      case "include":
        session.include(message.turnId, message.included);
        return;
      case "new-chat":
        this.newChat();
        return;
      case "draft":
        if (message.turnId !== undefined) this.#edits.set(message.turnId, message.text);
        else if (message.chatId === this.chat.id) this.chat.draft = message.text;
        return;
      case "find-files":
        this.post({
          type: "files-found",
          names: message.names.filter((name) => this.#options.files?.includes(name.replace(/[:#].*$/, ""))),
        });
        return;
      case "follow-code-colors":
        this.post({ type: "code-colors", colors: {} });
        return;
      case "context":
        this.#handleContext(message.request);
        return;
      case "prompt":
        if (message.request.type === "find") this.#offer("prompts", message.request);
        return;
      case "action":
        if (message.action === "new-chat") this.newChat();
        if (message.action === "retry" && message.turnId !== undefined) void session.retry(message.turnId);
        return;
      case "retry-with":
      case "open-limit":
      case "choose":
      case "mend-mode":
      case "verify-pdf":
      case "copy":
      case "open-link":
      case "open-file":
      case "code-action":
      case "apply-answer":
        return;
    }
  }

  #handleContext(request: ContextRequest): void {
    switch (request.type) {
      case "find":
        this.#offer("context", request);
        return;
      case "remove":
        this.chat.detach(request.id);
        return;
      case "attach":
        this.chat.attach(this.#options.attached?.(request.offerId) ?? []);
        this.post({ type: "focus-composer" });
        return;
      case "attach-data":
        this.chat.attach([createGivenAttachment(request)]);
        return;
      case "attach-text":
        this.#attachText(request.text);
        return;
      case "trim":
        this.chat.trim(request.id, trimmedTokens * this.header.room.charactersPerToken);
        return;
      case "attach-uris":
      case "choose":
      case "open":
      case "refuse-data":
      case "refuse-rest":
      case "stop-finding":
        return;
    }
  }

  /** Attaches the text. If the text does not fit, puts it back into the composer. */
  #attachText(text: string): void {
    const attachment = createTextAttachment({ kind: "text", name: "Pasted text", text });
    if (this.chat.attach([attachment]) > 0) this.post({ type: "restore-draft", text });
  }

  #offer(
    kind: "context" | "prompts",
    { searchId, typed }: { readonly searchId: number; readonly typed: string },
  ): void {
    const { offers: find = () => [] } = this.#options;
    const offers = find(kind, typed);
    if (offers !== undefined) this.post({ type: "context-offers", searchId, offers });
  }
}

function createGivenAttachment(
  request: Extract<ContextRequest, { readonly type: "attach-data" }>,
): Attachment {
  const { name, mediaType, data } = request;
  const bytes = Buffer.from(data, "base64");
  return mediaType.startsWith("image/")
    ? createImageAttachment(name, mediaType, bytes)
    : createTextAttachment({ kind: "file", name, text: bytes.toString() });
}

function isOf<Message extends { readonly type: string }, Type extends Message["type"]>(
  message: Message,
  type: Type,
): message is Extract<Message, { readonly type: Type }> {
  return message.type === type;
}
