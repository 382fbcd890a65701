import type { ConversationStore } from "../../chat/conversationStore.ts";
import type { FileStamp } from "../../chat/fileStamps.ts";
import type { AnswerState, AnswerTurn, Transcript } from "../../chat/transcript.ts";
import type { Chat } from "./chat.ts";

/** Milliseconds after the last word of an answer without an end, for which its window is taken to be there. */
const quietTime = 3000;
/** Milliseconds for which that window is waited for all the same: a model may think for long. */
const longestWait = 10 * 60_000;

export interface OtherWindowsOptions {
  readonly store: Pick<ConversationStore, "open" | "log" | "isWritten">;
  /** Of a chat's file; undefined where there is none. */
  readonly stampOf: (id: string) => Promise<FileStamp | undefined>;
  readonly now: () => Date;
}

/** A chat as its file had it. */
export interface ReadChat {
  readonly title: string | null;
  readonly transcript: Transcript;
  /** Undefined where it is not known when the file changes. */
  readonly place?: ReadPlace;
}

/** How far a file was read. */
interface ReadPlace {
  /** Bytes of it that other windows have written. */
  readonly othersBytes: number;
  /** When it was written last, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** What is known of an answer of another window that has no end. */
  readonly unended: "none" | "arriving" | "given up";
}

/** Takes up what other windows of the workspace write to the chats that are open in this one. */
export class OtherWindows {
  readonly #options: OtherWindowsOptions;
  readonly #places = new WeakMap<Chat, ReadPlace>();
  readonly #timers = new WeakMap<Chat, NodeJS.Timeout>();

  constructor(options: OtherWindowsOptions) {
    this.#options = options;
  }

  /** Undefined where there is no such chat. An answer that still arrives in another window is no interrupted one. */
  async read(id: string): Promise<ReadChat | undefined> {
    // Looked at before it is read: what comes meanwhile is read once more.
    const stamp = await this.#stampOf(id);
    const othersBytes = stamp === undefined ? 0 : this.#othersBytes(id, stamp);
    const stored = await this.#options.store.open(id);
    if (stored === undefined) return undefined;
    const { title, transcript, unendedId } = stored;
    if (stamp === undefined) return { title, transcript };
    const place = { othersBytes, writtenAt: stamp.mtimeMs };
    if (unendedId === undefined) return { title, transcript, place: { ...place, unended: "none" } };
    return this.#isFresh(stamp)
      ? { title, transcript: goOn(transcript, unendedId), place: { ...place, unended: "arriving" } }
      : { title, transcript, place: { ...place, unended: "given up" } };
  }

  /** The chat was made of what was read. */
  opened(chat: Chat, { place }: ReadChat): void {
    if (place !== undefined) this.#places.set(chat, place);
    this.#follow(chat);
  }

  /**
   * Reads the chat anew where others have written to it, unless something happens in it here. What cannot be read now
   * is read the next time; nothing here rejects.
   * @param mayWait what is known to arrive is read when all of it is there
   */
  async catchUp(chat: Chat, mayWait = false): Promise<void> {
    if (await this.#isBehind(chat, mayWait)) await this.#readAnew(chat).catch(() => undefined);
    this.#follow(chat);
  }

  async #readAnew(chat: Chat): Promise<void> {
    const before = chat.session.transcript;
    const read = await this.read(chat.id);
    // Something may have been asked, and answered, meanwhile.
    if (read?.place === undefined || !this.#rests(chat) || chat.session.transcript !== before) return;
    this.#places.set(chat, read.place);
    chat.takeStored(read.transcript);
  }

  async #isBehind(chat: Chat, mayWait: boolean): Promise<boolean> {
    if (!this.#rests(chat)) return false;
    const stamp = await this.#stampOf(chat.id);
    if (stamp === undefined) return false;
    const { othersBytes = 0, unended = "none" } = this.#places.get(chat) ?? {};
    const hasChanged = this.#othersBytes(chat.id, stamp) !== othersBytes;
    if (unended !== "arriving") return hasChanged;
    return this.#isFresh(stamp) ? hasChanged && !mayWait : true;
  }

  /** Looks again for as long as the rest of an answer may come from another window, and somebody sees it. */
  #follow(chat: Chat): void {
    clearTimeout(this.#timers.get(chat));
    const { unended = "none", writtenAt = 0 } = this.#places.get(chat) ?? {};
    const isGone = unended === "given up" && this.#options.now().getTime() - writtenAt > longestWait;
    if (unended === "none" || isGone) return;
    const timer = setTimeout(() => {
      if (chat.shown) void this.catchUp(chat, true);
    }, quietTime);
    this.#timers.set(chat, timer.unref());
  }

  /** What was said here and is not written yet is in no file. */
  #rests(chat: Chat): boolean {
    return chat.resting && this.#options.store.isWritten(chat.id);
  }

  #isFresh({ mtimeMs }: FileStamp): boolean {
    return Math.abs(this.#options.now().getTime() - mtimeMs) < quietTime;
  }

  #othersBytes(id: string, { size }: FileStamp): number {
    return size - this.#options.store.log(id).bytesWritten;
  }

  async #stampOf(id: string): Promise<FileStamp | undefined> {
    return this.#options.stampOf(id).catch(() => undefined);
  }
}

/** The answer has its end still before it. */
function goOn(transcript: Transcript, answerId: string): Transcript {
  const turns = transcript.turns.map((turn) =>
    turn.kind === "answer" && turn.id === answerId ? { ...turn, state: arrivingState(turn) } : turn,
  );
  return { ...transcript, turns };
}

function arrivingState({ text, reasoning }: AnswerTurn): AnswerState {
  return text === "" && reasoning === "" ? { kind: "waiting" } : { kind: "streaming" };
}
