import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { FromWebview, ToWebview } from "../../chat/page/panelProtocol.ts";
import type { Chat } from "../chat/chat.ts";
import type { AskedText, QuestionTexts } from "../chat/questions.ts";
import type { KeptEdits } from "../chat/chats.ts";
import { UnsentEdits } from "./unsentEdits.ts";
import { UnsentTexts } from "./unsentTexts.ts";

export interface PageTextsOptions {
  readonly keepDraft: (chatId: string, draft: string) => void;
  /** Texts that are to take the place of questions, by the question's turn. */
  readonly edits: KeptEdits;
  /** The chat that the page shows. */
  readonly shown: () => Chat;
  readonly post: (message: ToWebview) => void;
  /** Says that a text was not sent, and waits in a chat that the page no longer shows. */
  readonly tellItWaits: () => void;
}

type Message<Type extends FromWebview["type"]> = Extract<FromWebview, { readonly type: Type }>;

/** What is typed in a page and is no question yet: kept for its chat, and given back where it becomes none. */
export class PageTexts implements QuestionTexts {
  readonly #options: PageTextsOptions;
  readonly #composers: UnsentTexts;
  readonly #edits: UnsentEdits;

  constructor(options: PageTextsOptions) {
    this.#options = options;
    this.#composers = new UnsentTexts(options.keepDraft);
    this.#edits = new UnsentEdits(options.edits);
  }

  /** What belongs into the composer of this chat. */
  inComposer(chat: Chat): string {
    return this.#composers.typedIn(chat);
  }

  /** What belongs into the editors of this chat's questions, by turn. */
  inEdits(chatId: string): Readonly<Record<string, string>> {
    return this.#edits.typedIn(chatId);
  }

  /** A page that has just gone on to another chat may still speak of the one before. */
  type({ chatId, turnId, text }: Omit<Message<"draft">, "type">): void {
    if (turnId === undefined) this.#composers.type(chatId, text);
    else this.#edits.type(chatId, turnId, text);
  }

  begin(chat: Chat, { text, turnId, isTyped }: AskedText): void {
    if (turnId !== undefined) this.#edits.begin(chat.id, turnId, text);
    else this.#composers.begin(chat, text, isTyped ? "" : this.#composers.typedIn(chat));
  }

  sent(chat: Chat, { text, turnId }: AskedText): void {
    if (turnId !== undefined) this.#edits.sent(chat.id, turnId);
    else this.#composers.sent(chat, text);
  }

  /** Nothing that was to be sent is lost: the page may be hidden, and hear nothing. */
  restore(chat: Chat, { text, turnId }: AskedText, attachments: readonly Attachment[]): void {
    const { shown, post, tellItWaits } = this.#options;
    chat.attach(attachments);
    if (chat !== shown()) tellItWaits();
    if (turnId === undefined) return this.giveBack(chat, text);
    this.#edits.giveBack(chat.id, turnId, text);
    if (chat === shown()) post({ type: "restore-edit", turnId, text });
  }

  /** Puts a text back into the composer, behind what was typed there since. */
  giveBack(chat: Chat, text: string): void {
    this.#composers.giveBack(chat, text);
    if (chat === this.#options.shown()) this.#options.post({ type: "restore-draft", text });
  }

  /** What was sent as the page was going on to another chat; an edit's question is in no chat but its own. */
  giveBackLate(chatId: string, message: Message<"send" | "edit">): void {
    if (message.type === "send") {
      this.#composers.type(chatId, "");
      this.giveBack(this.#options.shown(), message.text);
      return;
    }
    this.#edits.giveBack(chatId, message.turnId, message.text);
    this.#options.tellItWaits();
  }
}
