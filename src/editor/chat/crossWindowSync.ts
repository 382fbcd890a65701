import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { FileStamp } from "../../files/diskFiles.ts";
import type { AnswerState, AnswerTurn, Transcript } from "../../chat/transcript/transcript.ts";
import type { Chat } from "./chat.ts";
import { basename, dirname, join } from "node:path";

/** Milliseconds from one sign that an answer still arrives in this window to the next. */
const heartbeatMs = 2000;
/** Milliseconds from one look at an answer that another window writes to the next. */
const pollMs = 3000;
/** Looks in a row at a file that nobody has touched, after which its window is gone: it beats more often than that. */
const maxQuietPolls = 2;
/** The same, after which nobody looks by himself any more. */
const maxPolls = 20;

type SharedStore = Pick<ConversationStore, "open" | "stampOf" | "bytesWritten" | "isWritten">;

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
  readonly otherWindowsBytes: number;
  readonly mtimeMs: number;
  /** Another window's answer has no end, and may get one still. */
  readonly isAwaited: boolean;
  /** It is shown as one that arrives. */
  readonly isArriving: boolean;
}

/** What is known of a chat's file. */
interface Known extends ReadPlace {
  /** As `otherWindowsBytes`, at the last look. */
  readonly seenBytes: number;
  /** Bytes of it that this window had written then. */
  readonly ownBytes: number;
  readonly quietPolls: number;
}

const nothingKnown: Known = {
  otherWindowsBytes: 0,
  mtimeMs: 0,
  isAwaited: false,
  isArriving: false,
  seenBytes: 0,
  ownBytes: 0,
  quietPolls: 0,
};

/** Takes up what other windows of the workspace write to the chats that are open in this one. */
export class CrossWindowSync {
  readonly #store: SharedStore;
  readonly #now: () => Date;
  readonly #known = new WeakMap<Chat, Known>();
  readonly #timers = new Map<Chat, NodeJS.Timeout>();

  constructor(store: SharedStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Undefined where there is no such chat. An answer that still arrives in another window is no interrupted one. */
  async read(id: string): Promise<ReadChat | undefined> {
    // The file server's clock may be another: who has read the file before goes by what changes.
    const quiet = ({ mtimeMs }: FileStamp): number => Math.abs(this.#now().getTime() - mtimeMs);
    return this.#read(id, (stamp) => ({
      isAwaited: quiet(stamp) < maxPolls * pollMs,
      isArriving: quiet(stamp) < pollMs,
    }));
  }

  /** The chat was made of what was read. */
  opened(chat: Chat, { place }: ReadChat): void {
    if (place !== undefined) this.#record(chat, place);
    this.#follow(chat);
  }

  /**
   * Reads the chat anew where others have written to it, unless something happens in it here. What cannot be read now
   * is read the next time; nothing here rejects.
   * @param byItself some time after the look before; what is still being written is read when it pauses
   */
  async catchUp(chat: Chat, byItself = false): Promise<void> {
    if (this.#isIdle(chat)) await this.#poll(chat, byItself).catch(() => undefined);
    this.#follow(chat);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #poll(chat: Chat, byItself: boolean): Promise<void> {
    const known = this.#known.get(chat) ?? nothingKnown;
    // Where it cannot be looked at now, nothing was heard of it either.
    const stamp = await this.#store.stampOf(chat.id).catch(() => "unseen" as const);
    if (stamp === undefined) return this.#interrupt(chat, { ...known, isAwaited: false });
    const seenBytes = stamp === "unseen" ? known.seenBytes : this.#otherWindowsBytes(chat.id, stamp);
    const mtimeMs = stamp === "unseen" ? known.mtimeMs : stamp.mtimeMs;
    const ownBytes = this.#store.bytesWritten(chat.id);
    const hasGrown = seenBytes !== known.seenBytes;
    const isTouched = hasGrown || (mtimeMs !== known.mtimeMs && ownBytes === known.ownBytes);
    // Silence is counted by the clock: a page may get the focus at any moment.
    const quietPolls = isTouched ? 0 : known.quietPolls + Number(byItself);
    const next = { ...known, seenBytes, ownBytes, mtimeMs, quietPolls };
    this.#known.set(chat, next);
    const isUnread = seenBytes !== known.otherWindowsBytes;
    const goesOn = known.isAwaited && !known.isArriving && isTouched;
    if (goesOn || (isUnread && (!hasGrown || !known.isArriving || !byItself)))
      return this.#reread(chat, quietPolls);
    if (quietPolls >= maxQuietPolls) this.#interrupt(chat, next);
  }

  async #reread(chat: Chat, quietPolls: number): Promise<void> {
    const before = chat.session.transcript;
    const isArriving = quietPolls < maxQuietPolls;
    const read = await this.#read(chat.id, () => ({ isAwaited: true, isArriving }));
    // Something may have been asked, and answered, meanwhile.
    if (read?.place === undefined || !this.#isIdle(chat) || chat.session.transcript !== before) return;
    this.#record(chat, read.place, quietPolls);
    chat.applyStored(read.transcript);
  }

  /** @param judge of an answer without its end */
  async #read(
    id: string,
    judge: (stamp: FileStamp) => Pick<ReadPlace, "isAwaited" | "isArriving">,
  ): Promise<ReadChat | undefined> {
    // Looked at before it is read: what comes meanwhile is read once more.
    const stamp = await this.#store.stampOf(id).catch(() => undefined);
    const otherWindowsBytes = stamp === undefined ? 0 : this.#otherWindowsBytes(id, stamp);
    const stored = await this.#store.open(id);
    if (stored === undefined) return undefined;
    const { title, transcript, unendedId } = stored;
    if (stamp === undefined) return { title, transcript };
    const { mtimeMs } = stamp;
    if (unendedId === undefined)
      return {
        title,
        transcript,
        place: { otherWindowsBytes, mtimeMs, isAwaited: false, isArriving: false },
      };
    const judged = judge(stamp);
    const shown = judged.isArriving ? withState(transcript, unendedId, arrivingState) : transcript;
    return { title, transcript: shown, place: { otherWindowsBytes, mtimeMs, ...judged } };
  }

  #record(chat: Chat, place: ReadPlace, quietPolls = 0): void {
    const ownBytes = this.#store.bytesWritten(chat.id);
    this.#known.set(chat, { ...place, seenBytes: place.otherWindowsBytes, ownBytes, quietPolls });
  }

  /** The end does not come, as it seems, or the chat is gone. */
  #interrupt(chat: Chat, known: Known): void {
    if (known.isArriving && !this.#isIdle(chat)) return;
    this.#known.set(chat, { ...known, isArriving: false });
    if (!known.isArriving) return;
    const { transcript } = chat.session;
    const unended = transcript.turns.find((turn) => turn.kind === "answer" && isUnended(turn));
    if (unended !== undefined)
      chat.applyStored(withState(transcript, unended.id, () => ({ kind: "interrupted" })));
  }

  /** Looks again for as long as the rest of an answer may come from another window, and somebody sees it. */
  #follow(chat: Chat): void {
    clearTimeout(this.#timers.get(chat));
    this.#timers.delete(chat);
    const { isAwaited, quietPolls } = this.#known.get(chat) ?? nothingKnown;
    if (!isAwaited || quietPolls >= maxPolls || !chat.shown) return;
    const timer = setTimeout(() => void this.catchUp(chat, true), pollMs);
    this.#timers.set(chat, timer.unref());
  }

  /** What was said here and is not written yet is in no file. */
  #isIdle(chat: Chat): boolean {
    return chat.resting && this.#store.isWritten(chat.id);
  }

  #otherWindowsBytes(id: string, { size }: FileStamp): number {
    return size - this.#store.bytesWritten(id);
  }
}

/** The chats of this window in which an answer arrives: for each of them something is done again and again meanwhile. */
export class StreamingHeartbeat {
  readonly #ids = new Set<string>();
  readonly #onBeat: (id: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onBeat: (id: string) => void) {
    this.#onBeat = onBeat;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setInterval(() => this.#ids.forEach((each) => this.#onBeat(each)), heartbeatMs).unref();
  }

  delete(id: string): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.dispose();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function isUnended({ state }: AnswerTurn): boolean {
  return state.kind === "waiting" || state.kind === "streaming";
}

function withState(
  transcript: Transcript,
  answerId: string,
  stateOf: (answer: AnswerTurn) => AnswerState,
): Transcript {
  const turns = transcript.turns.map((turn) =>
    turn.kind === "answer" && turn.id === answerId ? { ...turn, state: stateOf(turn) } : turn,
  );
  return { ...transcript, turns };
}

/** The answer has its end still before it. */
function arrivingState({ text, reasoning }: AnswerTurn): AnswerState {
  return text === "" && reasoning === "" ? { kind: "waiting" } : { kind: "streaming" };
}

/** The editor's name for a workspace, and what it adds where another window has the same one open. */
const numbered = /^(-?[0-9a-f]+)-[1-9]$/;

/**
 * The storage that all windows of a workspace share. The editor locks an extension's folder and gives a second
 * window one with a number behind; a chat kept there would be gone when that window is the only one.
 * @param folder absolute path of what the editor gave: `<workspace>/<extension>`
 */
export function sharedStorage(folder: string): string {
  const workspace = dirname(folder);
  const name = numbered.exec(basename(workspace))?.[1];
  return name === undefined ? folder : join(dirname(workspace), name, basename(folder));
}
