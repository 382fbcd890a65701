import { isDeepStrictEqual } from "node:util";
import { attachmentTraits, type Attachment, joinAttachments } from "../../chat/transcript/attachments.ts";
import { type ChatMode, defaultChatMode } from "../../chat/transcript/steps.ts";
import { ChatSession, type ChatSessionOptions } from "../../chat/session/chatSession.ts";
import { firstQuestionLine } from "../../chat/history/log/conversationSummary.ts";
import {
  type ChatSelection,
  isTurnWhole,
  lastAnswerOf,
  modeOf,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../chat/transcript/transcript.ts";
import { trimText } from "../../text/cutText.ts";

/** A page that shows a chat, in the side bar or in an editor tab. */
export interface ChatListener {
  readonly onEvents: (events: readonly TranscriptEvent[]) => void;
  readonly onAttachments?: () => void;
  /** Called when the mode, connection, model or client style of the next question may have changed. */
  readonly onTarget?: () => void;
  /** Called when another transcript has replaced the chat's transcript. */
  readonly onReplaced?: () => void;
}

interface ChatOptions {
  readonly transcript: Transcript;
  readonly target: ChatSessionOptions["target"];
  readonly now: () => Date;
  readonly newId: () => string;
  readonly id: string;
  /** The name that a user gave. Null if the title comes from the first question. */
  readonly title: string | null;
  readonly draft: string;
  /** Initial attachments of the next question. */
  readonly attachments?: readonly Attachment[];
  /** Called with the attachments of the next question after each change. */
  readonly saveAttachments?: (attachments: readonly Attachment[]) => void;
  /** Name of the prompt that the attachments were gathered for. */
  readonly preparedPrompt?: string | undefined;
  /** The mode that was selected and not used yet. */
  readonly mode?: ChatMode | undefined;
  /** Called when a mode is selected, and with undefined once a question has used it. */
  readonly saveMode?: (mode: ChatMode | undefined) => void;
  /** The selection before the first question. Undefined if there is none, or the workspace's is newer. */
  readonly selected?: () => ChatSelection | undefined;
  /** Called when something is selected before the first question. */
  readonly saveSelection?: (selection: ChatSelection) => void;
  /** Called after each change of the prepared prompt. */
  readonly savePreparedPrompt?: (name: string | undefined) => void;
  /** Applies changes that other windows wrote. Called when the user looks at the chat again. */
  readonly catchUp?: (chat: Chat) => void;
  /**
   * Logs events. For a question or an answer's end, resolves when it is written, or when writing failed or timed out.
   * Never rejects.
   */
  readonly log: (events: readonly TranscriptEvent[]) => Promise<unknown>;
}

/** An open chat with its draft. Answers arrive even if no page shows the chat. */
export class Chat {
  readonly id: string;
  readonly session: ChatSession;
  /** Typed text that was not sent. */
  draft: string;
  /** The name that a user gave to the chat. */
  customTitle: string | null;
  #mode: ChatMode | undefined;
  readonly #saveMode: ChatOptions["saveMode"];
  readonly #selected: ChatOptions["selected"];
  readonly #saveSelection: ChatOptions["saveSelection"];
  #preparedPrompt: string | undefined;
  readonly #savePreparedPrompt: ChatOptions["savePreparedPrompt"];
  #attachments: readonly Attachment[];
  /** Attachments of messages that wait for the next request of the streaming answer. */
  #queued: readonly Attachment[] = [];
  readonly #saveAttachments: ChatOptions["saveAttachments"];
  readonly #listeners = new Set<ChatListener>();
  readonly #log: ChatOptions["log"];
  /** Events that pages have not received yet, because a write is pending. */
  #waiting: TranscriptEvent[] | undefined;
  /** The transcript as pages know it, without the waiting events. */
  #shownTranscript: Transcript;
  /** Number of questions being prepared. */
  #holds = 0;
  readonly #catchUp: ChatOptions["catchUp"];

  constructor(options: ChatOptions) {
    this.id = options.id;
    this.draft = options.draft;
    this.customTitle = options.title;
    this.#log = options.log;
    this.#mode = options.mode;
    this.#saveMode = options.saveMode;
    this.#selected = options.selected;
    this.#saveSelection = options.saveSelection;
    this.#preparedPrompt = options.preparedPrompt;
    this.#savePreparedPrompt = options.savePreparedPrompt;
    this.#attachments = options.attachments ?? [];
    this.#saveAttachments = options.saveAttachments;
    this.#shownTranscript = options.transcript;
    this.#catchUp = options.catchUp;
    this.session = new ChatSession({ ...options, onEvents: (events) => this.#apply(events) });
  }

  /** The name that a user gave, or the first line of the first question. Empty if neither exists. */
  get title(): string {
    return this.customTitle ?? firstQuestionLine(this.session.transcript);
  }

  /** The initial transcript for a page. Events that the page receives later continue it. */
  get shownTranscript(): Transcript {
    return this.#shownTranscript;
  }

  /** Attachments of the next question. */
  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** Name of the prompt that the attachments were gathered for. Removed attachments are not added again. */
  get preparedPrompt(): string | undefined {
    return this.#preparedPrompt;
  }

  /** The mode of the next question: the selected one, or that of the last answer. */
  get mode(): ChatMode {
    const last = lastAnswerOf(this.session.transcript);
    return this.#mode ?? (last === undefined ? defaultChatMode : modeOf(last));
  }

  set mode(mode: ChatMode) {
    this.#mode = mode;
    this.#saveMode?.(mode);
    this.#tellTarget();
  }

  /**
   * The connection and model that were selected for this chat. Undefined if a chat without a question follows the
   * workspace. Undefined in a chat of an earlier version, which follows its last answer.
   */
  get selection(): ChatSelection | undefined {
    const { turns, arriving, selection } = this.session.transcript;
    const isAsked = turns.length > 0 || arriving !== null;
    return selection ?? (isAsked ? undefined : this.#selected?.());
  }

  /** Before the first question, the selection is kept with the draft: an empty chat has no file. */
  select(selection: ChatSelection): void {
    if (this.session.transcript.turns.length > 0) this.session.select(selection);
    else this.#saveSelection?.(selection);
    this.#tellTarget();
  }

  #tellTarget(): void {
    for (const listener of this.#listeners) listener.onTarget?.();
  }

  set preparedPrompt(name: string | undefined) {
    this.#preparedPrompt = name;
    this.#savePreparedPrompt?.(name);
  }

  /**
   * Adds the attachments that fit. Returns how many did not fit. A new version of an attachment replaces the old one.
   */
  attach(added: readonly Attachment[]): number {
    if (added.length === 0) return 0;
    const { attachments, tooMuch } = joinAttachments(this.#attachments, added);
    this.#setAttachments(attachments);
    return tooMuch;
  }

  detach(id: string): void {
    this.#setAttachments(this.#attachments.filter((each) => each.id !== id));
  }

  /**
   * Truncates an attached text to this many characters, and adds a note about the rest. Terminal output keeps its end,
   * other texts their start.
   */
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

  /** Removes the attachments from the next question and returns them. */
  consumeAttachments(): readonly Attachment[] {
    const taken = this.#attachments;
    this.preparedPrompt = undefined;
    this.#setAttachments([]);
    return taken;
  }

  /**
   * Removes the attachments from the next question for a message that waits for the streaming answer, and returns them.
   * Until `settleQueued` they stay saved with the next question's.
   */
  queueAttachments(): readonly Attachment[] {
    this.#queued = [...this.#queued, ...this.#attachments];
    return this.consumeAttachments();
  }

  /** @param isTaken if not, the attachments return to the next question, even if they are more than one may have */
  settleQueued(attachments: readonly Attachment[], isTaken: boolean): void {
    this.#queued = this.#queued.filter((each) => !attachments.includes(each));
    this.#setAttachments(isTaken ? this.#attachments : [...attachments, ...this.#attachments]);
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#saveAttachments?.([...this.#queued, ...attachments]);
    for (const listener of this.#listeners) listener.onAttachments?.();
  }

  /** Returns a function that removes the listener. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call this when a page shows the chat again or gets the focus. */
  seen(): void {
    this.#catchUp?.(this);
  }

  /** Blocks changes from other windows until the returned function is called, while a question is prepared. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
    };
  }

  /** Whether nothing is happening or pending in this chat in this window. */
  get resting(): boolean {
    return !this.session.busy && this.#waiting === undefined && this.#holds === 0;
  }

  /** Whether the chat has a listener, such as a page that shows it. */
  get shown(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Applies the transcript that other windows have written, unless this chat is busy. The selected branch stays
   * selected. Ignores a transcript that lacks one of this chat's turns, because it is not a continuation of this chat.
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

  /** Whether nothing was asked, typed or attached. */
  get empty(): boolean {
    const asked = this.session.transcript.turns.length > 0 || this.session.busy;
    return !asked && this.draft.trim() === "" && this.#attachments.length === 0;
  }

  /** Whether the chat can be released: no page shows it, no answer arrives, and nothing is unsent. */
  get idle(): boolean {
    const holdsUnsent = this.draft.trim() !== "" || this.#attachments.length + this.#queued.length > 0;
    return !this.shown && !this.session.busy && !holdsUnsent;
  }

  /**
   * Logs events, then notifies pages. For a question or an answer's end, waits until writing has finished or failed.
   */
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
