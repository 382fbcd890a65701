import type * as vscode from "vscode";
import type { ContextRequest, FromWebview, ToWebview } from "../../src/chat/page/protocol.ts";
import type { TranscriptEvent } from "../../src/chat/transcript/transcript.ts";

type Posted<Type extends ToWebview["type"]> = Extract<ToWebview, { readonly type: Type }>;

/** Stands in for the built page: sends its messages to the host, and records the messages that the host posts. */
export class SpokenPage {
  readonly posted: ToWebview[] = [];
  readonly #say: (posted: unknown) => void;
  readonly #waiting = new Set<(message: ToWebview) => void>();
  #chatId: string | null = null;

  /** @param say receives the page's messages to the host */
  constructor(say: (posted: unknown) => void) {
    this.#say = say;
  }

  /** The chat that the page shows; null before the first snapshot. */
  get chatId(): string | null {
    return this.#chatId;
  }

  hear(message: ToWebview): void {
    this.posted.push(message);
    if (message.type === "snapshot") this.#chatId = message.snapshot.chatId;
    for (const wait of this.#waiting) wait(message);
  }

  say(message: FromWebview): void {
    this.#say({ chatId: this.#chatId, message });
  }

  /** Resolves with the next message of this type that fits. */
  next<Type extends ToWebview["type"]>(
    type: Type,
    fits: (message: Posted<Type>) => boolean = () => true,
  ): Promise<Posted<Type>> {
    return new Promise((resolve) => {
      const wait = (message: ToWebview): void => {
        if (!isOf(message, type) || !fits(message)) return;
        this.#waiting.delete(wait);
        resolve(message);
      };
      this.#waiting.add(wait);
    });
  }

  /** Sends a message, and resolves with the next message of this type. */
  async answered<Type extends ToWebview["type"]>(message: FromWebview, type: Type): Promise<Posted<Type>> {
    const next = this.next(type);
    this.say(message);
    return next;
  }

  /** Sends a message, and resolves when an answer has begun to arrive. */
  begun(message: FromWebview): Promise<void> {
    return this.#saidUntil("text-delta", message);
  }

  /** Sends a message, and resolves when an answer has ended. */
  ended(message: FromWebview): Promise<void> {
    return this.#saidUntil("answer-ended", message);
  }

  /** Asks, and resolves when the answer has ended. */
  ask(text: string): Promise<void> {
    return this.ended({ type: "send", text });
  }

  /** Requests an attachment, and resolves when the page has received it. */
  async attached(request: ContextRequest): Promise<void> {
    await this.answered({ type: "context", request }, "attachments");
  }

  async #saidUntil(type: TranscriptEvent["type"], message: FromWebview): Promise<void> {
    const told = this.next("transcript-events", ({ events }) => events.some((event) => event.type === type));
    this.say(message);
    await told;
  }
}

/** A webview with a `SpokenPage` in place of a page. */
export class SpokenWebview implements vscode.Webview {
  options: vscode.WebviewOptions = {};
  html = "";
  readonly cspSource = "https://page.test";
  readonly page: SpokenPage;
  readonly onDidReceiveMessage: vscode.Event<unknown>;

  /** @param said fires for the host with each message of the page */
  constructor(said: vscode.EventEmitter<unknown>) {
    this.onDidReceiveMessage = said.event;
    this.page = new SpokenPage((posted) => said.fire(posted));
  }

  asWebviewUri(uri: vscode.Uri): vscode.Uri {
    return uri;
  }

  async postMessage(message: ToWebview): Promise<boolean> {
    this.page.hear(message);
    return true;
  }
}

function isOf<Message extends { readonly type: string }, Type extends Message["type"]>(
  message: Message,
  type: Type,
): message is Extract<Message, { readonly type: Type }> {
  return message.type === type;
}
