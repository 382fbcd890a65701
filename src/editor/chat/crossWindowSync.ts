import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { FileStamp } from "../../files/diskFiles.ts";
import type { AnswerState, AnswerTurn, Transcript } from "../../chat/transcript/transcript.ts";
import type { Chat } from "./chat.ts";
import { basename, dirname, join } from "node:path";

/** Interval of the heartbeat for an answer that arrives in this window, in milliseconds. */
const heartbeatMs = 2000;
/** Polling interval for an answer that another window writes, in milliseconds. */
const pollMs = 3000;
/**
 * After this many polls without a change, the other window counts as closed. Its heartbeats are more frequent than
 * polls.
 */
const maxQuietPolls = 2;
/** After this many polls without a change, polling stops. */
const maxPolls = 20;

type SharedStore = Pick<ConversationStore, "open" | "stampOf" | "bytesWritten" | "isWritten">;

/** A chat as read from its file. */
export interface ReadChat {
  readonly title: string | null;
  readonly transcript: Transcript;
  /** Undefined if the file's stamp could not be read. */
  readonly place?: ReadPlace;
}

/** How far a file was read. */
interface ReadPlace {
  /** Bytes of the file that other windows have written. */
  readonly otherWindowsBytes: number;
  readonly mtimeMs: number;
  /** Whether another window may still finish an answer in the file. */
  readonly isAwaited: boolean;
  /** Whether that answer is shown as arriving. */
  readonly isArriving: boolean;
}

/** The last known state of a chat's file. */
interface Known extends ReadPlace {
  /** Like `otherWindowsBytes`, but at the last poll. */
  readonly seenBytes: number;
  /** Bytes of the file that this window had written at the last poll. */
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

/** Applies what other windows of the workspace write to the chats that are open in this one. */
export class CrossWindowSync {
  readonly #store: SharedStore;
  readonly #now: () => Date;
  readonly #known = new WeakMap<Chat, Known>();
  readonly #timers = new Map<Chat, NodeJS.Timeout>();

  constructor(store: SharedStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Reads a chat. Undefined if it does not exist.
   * An answer streaming in another window does not count as interrupted.
   */
  async read(id: string): Promise<ReadChat | undefined> {
    // The file server's clock can differ from ours, so this is only a first guess. Later polls compare stamps instead.
    const quiet = ({ mtimeMs }: FileStamp): number => Math.abs(this.#now().getTime() - mtimeMs);
    return this.#read(id, (stamp) => ({
      isAwaited: quiet(stamp) < maxPolls * pollMs,
      isArriving: quiet(stamp) < pollMs,
    }));
  }

  /** Call this after creating the chat from a read file. */
  opened(chat: Chat, { place }: ReadChat): void {
    if (place !== undefined) this.#record(chat, place);
    this.#follow(chat);
  }

  /**
   * Reads the chat again if other windows have written to it, unless the chat is busy here. Never rejects.
   * A file that cannot be read now is read at the next poll.
   * @param byItself whether a timer started the poll. Such a poll waits for a pause if the file is still growing.
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
    // If the file cannot be checked now, treat it as unchanged.
    const stamp = await this.#store.stampOf(chat.id).catch(() => "unseen" as const);
    if (stamp === undefined) return this.#interrupt(chat, { ...known, isAwaited: false });
    const seenBytes = stamp === "unseen" ? known.seenBytes : this.#otherWindowsBytes(chat.id, stamp);
    const mtimeMs = stamp === "unseen" ? known.mtimeMs : stamp.mtimeMs;
    const ownBytes = this.#store.bytesWritten(chat.id);
    const hasGrown = seenBytes !== known.seenBytes;
    const isTouched = hasGrown || (mtimeMs !== known.mtimeMs && ownBytes === known.ownBytes);
    // Count only polls by the timer as silence, because a page can get the focus at any moment.
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
    // A question may have been asked and answered during the read.
    if (read?.place === undefined || !this.#isIdle(chat) || chat.session.transcript !== before) return;
    this.#record(chat, read.place, quietPolls);
    chat.applyStored(read.transcript);
  }

  /** @param judge decides the state of an answer without an end */
  async #read(
    id: string,
    judge: (stamp: FileStamp) => Pick<ReadPlace, "isAwaited" | "isArriving">,
  ): Promise<ReadChat | undefined> {
    // Get the stamp before reading. A write during the read then causes another read.
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

  /** Marks the streaming answer as interrupted: its window seems closed, or the chat was deleted. */
  #interrupt(chat: Chat, known: Known): void {
    if (known.isArriving && !this.#isIdle(chat)) return;
    this.#known.set(chat, { ...known, isArriving: false });
    if (!known.isArriving) return;
    const { transcript } = chat.session;
    const unended = transcript.turns.find((turn) => turn.kind === "answer" && isUnended(turn));
    if (unended !== undefined)
      chat.applyStored(withState(transcript, unended.id, () => ({ kind: "interrupted" })));
  }

  /** Schedules the next poll if another window may still finish an answer and a page shows the chat. */
  #follow(chat: Chat): void {
    clearTimeout(this.#timers.get(chat));
    this.#timers.delete(chat);
    const { isAwaited, quietPolls } = this.#known.get(chat) ?? nothingKnown;
    if (!isAwaited || quietPolls >= maxPolls || !chat.shown) return;
    const timer = setTimeout(() => void this.catchUp(chat, true), pollMs);
    this.#timers.set(chat, timer.unref());
  }

  /** Whether the chat is idle and fully written. Otherwise, reading the file would lose unwritten content. */
  #isIdle(chat: Chat): boolean {
    return chat.resting && this.#store.isWritten(chat.id);
  }

  #otherWindowsBytes(id: string, { size }: FileStamp): number {
    return size - this.#store.bytesWritten(id);
  }
}

/** Calls `onBeat` regularly for each chat of this window with a streaming answer. */
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

/** The state of an answer that is not finished. */
function arrivingState({ text, reasoning }: AnswerTurn): AnswerState {
  return text === "" && reasoning === "" ? { kind: "waiting" } : { kind: "streaming" };
}

/** VS Code's folder name for a workspace, with the suffix it adds if another window has the same workspace open. */
const numbered = /^(-?[0-9a-f]+)-[1-9]$/;

/**
 * Returns the storage folder that all windows of a workspace share.
 * VS Code locks an extension's folder and gives a second window a folder with a numeric suffix. Chats stored there
 * would be missing once only one window is open.
 * @param folder absolute path that VS Code provides: `<workspace>/<extension>`
 */
export function sharedStorage(folder: string): string {
  const workspace = dirname(folder);
  const name = numbered.exec(basename(workspace))?.[1];
  return name === undefined ? folder : join(dirname(workspace), name, basename(folder));
}
