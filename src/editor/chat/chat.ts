import { isDeepStrictEqual } from "node:util";
import { attachmentTraits, type Attachment, joinAttachments } from "../../chat/transcript/attachments.ts";
import { ChatSession, type ChatSessionOptions } from "../../chat/session/chatSession.ts";
import { firstQuestionLine } from "../../chat/history/log/conversationSummary.ts";
import {
  isTurnWhole,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../chat/transcript/transcript.ts";
import { trimText } from "../../text/cutText.ts";

/** What shows a chat: a page of the side bar or of an editor tab. */
export interface ChatListener {
  readonly onEvents: (events: readonly TranscriptEvent[]) => void;
  readonly onAttachments?: () => void;
  /** Another transcript has taken the place of the one that was told of. */
  readonly onReplaced?: () => void;
}

interface ChatOptions {
  readonly transcript: Transcript;
  readonly target: ChatSessionOptions["target"];
  readonly now: () => Date;
  readonly newId: () => string;
  readonly id: string;
  /** As a person named it; null where it goes by its first question. */
  readonly title: string | null;
  readonly draft: string;
  /** What is to go along with the next question already. */
  readonly attachments?: readonly Attachment[];
  /** Hears what goes along with the next question, whenever that changes. */
  readonly saveAttachments?: (attachments: readonly Attachment[]) => void;
  /** The prompt that this was gathered for. */
  readonly preparedPrompt?: string | undefined;
  /** Hears of another one. */
  readonly savePreparedPrompt?: (name: string | undefined) => void;
  /** Takes up what other windows have written, since the chat is on the screen again. */
  readonly catchUp?: (chat: Chat) => void;
  /** Writes down what happened; resolves, and never rejects, when that is as safe as it will be. */
  readonly log: (events: readonly TranscriptEvent[]) => Promise<unknown>;
}

/** One open conversation with its draft. Its answer arrives whether or not a page shows it. */
export class Chat {
  readonly id: string;
  readonly session: ChatSession;
  /** What was typed and not sent. */
  draft: string;
  /** As a person named it. */
  customTitle: string | null;
  #preparedPrompt: string | undefined;
  readonly #savePreparedPrompt: ChatOptions["savePreparedPrompt"];
  #attachments: readonly Attachment[];
  readonly #saveAttachments: ChatOptions["saveAttachments"];
  readonly #listeners = new Set<ChatListener>();
  readonly #log: ChatOptions["log"];
  /** Events that wait for those before them to be written down. */
  #waiting: TranscriptEvent[] | undefined;
  /** As the pages know it: without what waits. */
  #shownTranscript: Transcript;
  /** How many questions are on their way to being asked behind what is on the screen. */
  #holds = 0;
  readonly #catchUp: ChatOptions["catchUp"];

  constructor(options: ChatOptions) {
    this.id = options.id;
    this.draft = options.draft;
    this.customTitle = options.title;
    this.#log = options.log;
    this.#preparedPrompt = options.preparedPrompt;
    this.#savePreparedPrompt = options.savePreparedPrompt;
    this.#attachments = options.attachments ?? [];
    this.#saveAttachments = options.saveAttachments;
    this.#shownTranscript = options.transcript;
    this.#catchUp = options.catchUp;
    this.session = new ChatSession({ ...options, onEvents: (events) => this.#apply(events) });
  }

  /** As a person named it, or the first question's first line; empty where there is neither. */
  get title(): string {
    return this.customTitle ?? firstQuestionLine(this.session.transcript);
  }

  /** What a page is shown first; the events it hears from then on go on from here. */
  get shownTranscript(): Transcript {
    return this.#shownTranscript;
  }

  /** What goes along with the next question. */
  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** The prompt that what is attached was gathered for; what was taken off again stays off. */
  get preparedPrompt(): string | undefined {
    return this.#preparedPrompt;
  }

  set preparedPrompt(name: string | undefined) {
    this.#preparedPrompt = name;
    this.#savePreparedPrompt?.(name);
  }

  /** Adds what fits; gives the number of those that do not. What is there already is taken anew. */
  attach(added: readonly Attachment[]): number {
    if (added.length === 0) return 0;
    const { attachments, tooMuch } = joinAttachments(this.#attachments, added);
    this.#setAttachments(attachments);
    return tooMuch;
  }

  detach(id: string): void {
    this.#setAttachments(this.#attachments.filter((each) => each.id !== id));
  }

  /** Cuts a text down to so many characters; of a terminal's output the end is kept. */
  trim(id: string, characters: number): void {
    this.#setAttachments(
      this.#attachments.map((each) => {
        if (each.id !== id || each.content?.type !== "text") return each;
        const text = trimText(each.content.text, characters, attachmentTraits[each.kind].keptEnd);
        const trimmedFrom = each.trimmedFrom ?? each.characters;
        return { ...each, characters: text.length, trimmedFrom, content: { ...each.content, text } };
      }),
    );
  }

  /** What goes along with a question that is asked now; the next one begins without. */
  consumeAttachments(): readonly Attachment[] {
    const taken = this.#attachments;
    this.preparedPrompt = undefined;
    this.#setAttachments([]);
    return taken;
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#saveAttachments?.(attachments);
    for (const listener of this.#listeners) listener.onAttachments?.();
  }

  /** The result is to be called when the listener is gone. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** To be called when a page shows the chat again, or gets the focus. */
  seen(): void {
    this.#catchUp?.(this);
  }

  /** Keeps what is on the screen as it is until the result is called: a question is to be asked behind it. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
    };
  }

  /** Nothing happens in it here, and nothing is about to. */
  get resting(): boolean {
    return !this.session.busy && this.#waiting === undefined && this.#holds === 0;
  }

  /** Whether a page shows it, or will. */
  get shown(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Takes what other windows have made of the conversation while this one rests; the branch on the screen stays there,
   * with what follows it now. What lacks a turn that is here is no continuation, and nothing is taken of it.
   */
  applyStored(stored: Transcript): void {
    const { turns, leafId } = this.session.transcript;
    const ids = new Set(stored.turns.map(({ id }) => id));
    if (!this.resting || !turns.every(({ id }) => ids.has(id))) return;
    const next =
      leafId === null ? stored : reduceTranscript(stored, { type: "version-selected", turnId: leafId });
    if (isDeepStrictEqual(next, this.session.transcript)) return;
    this.session.replace(next);
    this.#shownTranscript = next;
    for (const listener of this.#listeners) listener.onReplaced?.();
  }

  /** Nothing was asked, typed or attached. */
  get empty(): boolean {
    const asked = this.session.transcript.turns.length > 0 || this.session.busy;
    return !asked && this.draft.trim() === "" && this.#attachments.length === 0;
  }

  /** No page shows it, nothing arrives in it, and nothing is typed or attached that would be lost. */
  get idle(): boolean {
    const holdsUnsent = this.draft.trim() !== "" || this.#attachments.length > 0;
    return !this.shown && !this.session.busy && !holdsUnsent;
  }

  /** What looks done is as safe as it will be: a page hears of a question or an end only then. */
  #apply(events: readonly TranscriptEvent[]): void {
    const kept = this.#log(events);
    if (this.#waiting !== undefined) {
      this.#waiting.push(...events);
    } else if (events.some(isTurnWhole)) {
      this.#waiting = [...events];
      void kept.then(() => this.#release());
    } else {
      this.#notify(events);
    }
  }

  #release(): void {
    const events = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#notify(events);
  }

  #notify(events: readonly TranscriptEvent[]): void {
    this.#shownTranscript = this.session.transcript;
    for (const listener of this.#listeners) listener.onEvents(events);
  }
}
