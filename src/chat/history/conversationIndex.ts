import { readConversation, type StoredConversation } from "./log/conversationFile.ts";
import type { ConversationFolder } from "./log/conversationFolder.ts";
import { compareByTime, type ConversationSummary, summarise } from "./log/conversationSummary.ts";
import { isErrorCode } from "../../files/fileErrors.ts";
import type { FileStamp } from "../../files/fileStamps.ts";
import { forEachAtOnce } from "../../files/concurrency.ts";
import { firstOf, type IndexedConversation, IndexFile } from "./log/indexFile.ts";

/** So many summaries may have to be made again after a crash before the file is written. */
const mostUnsaved = 16;
const readsAtOnce = 8;
/** Milliseconds. */
const longestRecent = 5000;

/** What is known of the folder. */
interface Known {
  /** When all of its files were last looked at, by a clock that is never set back. */
  readonly at: number;
  readonly conversations: readonly IndexedConversation[];
}

/**
 * The summaries of a folder. They are taken from the index's file where the file they speak of has the size
 * and time it had then; all others are made again from the files, which alone are the truth.
 */
export class ConversationIndex {
  readonly #folder: ConversationFolder;
  readonly #file: IndexFile;
  #entries: Map<string, IndexedConversation> | undefined;
  readonly #unreadable = new Map<string, IndexedConversation>();
  #known: Known | undefined;
  /** What this window has changed since it was looked at. */
  #outdated: ReadonlySet<string> = new Set();
  /** Some of it is being looked at. */
  #isLooking = false;
  #unsaved = 0;
  /** One look after the other, so that none overtakes a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param writer unlike that of any other store on this folder */
  constructor(folder: ConversationFolder, writer: string) {
    this.#folder = folder;
    this.#file = new IndexFile(folder.path, writer);
  }

  /** What there is now, the newest first. A file that cannot be read stands in the list without a title. */
  conversations(): Promise<readonly IndexedConversation[]> {
    return this.#inTurn(() => this.#lookAtAll());
  }

  /**
   * The same as it was when it was last looked at or written down, with what this window has changed since. Looking at
   * ten thousand files takes the processors for longer than a person who types, or pins a chat, should wait.
   */
  async knownConversations(): Promise<readonly IndexedConversation[]> {
    return this.#knownNow() ?? this.#inTurn(() => this.#lookAtOutdated());
  }

  /** The same, but at most 5 seconds old as to what other windows did. */
  async recentConversations(): Promise<readonly IndexedConversation[]> {
    const recent = this.#isRecent() ? this.#knownNow() : undefined;
    // Asked again in turn: all may have been looked at meanwhile.
    return recent ?? this.#inTurn(() => (this.#isRecent() ? this.#lookAtOutdated() : this.#lookAtAll()));
  }

  /**
   * The first of the list as it was when it was last looked at or written down, without a look at the files:
   * something to show at once, until `conversations` is there.
   */
  async firstConversations(most: number): Promise<readonly IndexedConversation[]> {
    if (this.#known !== undefined) return firstOf(this.#known.conversations, most);
    return (await this.#file.readFirst(most)).filter(({ summary }) => hasContent(summary));
  }

  /** To be called when this window has changed, removed or brought back conversations. */
  outdate(ids: readonly string[]): void {
    this.#outdated = new Set([...this.#outdated, ...ids]);
  }

  /** Writes down what has changed. Without it the next start reads a few files more. */
  async save(): Promise<void> {
    await this.#last;
    await this.#save();
  }

  #inTurn<Result>(look: () => Promise<Result>): Promise<Result> {
    const looked = this.#last.then(look);
    this.#last = looked.catch(() => undefined);
    return looked;
  }

  #isRecent(): boolean {
    return this.#known !== undefined && performance.now() - this.#known.at < longestRecent;
  }

  #knownNow(): readonly IndexedConversation[] | undefined {
    return this.#outdated.size === 0 && !this.#isLooking ? this.#known?.conversations : undefined;
  }

  async #lookAtAll(): Promise<readonly IndexedConversation[]> {
    const at = performance.now();
    return this.#takingOutdated(async () => {
      const [stamps, entries] = await Promise.all([this.#folder.list(), this.#load()]);
      this.#unreadable.clear();
      await this.#update(new Set([...entries.keys(), ...stamps.keys()]), stamps, entries);
      return this.#keep(at, entries);
    });
  }

  async #lookAtOutdated(): Promise<readonly IndexedConversation[]> {
    return (
      this.#knownNow() ??
      this.#takingOutdated(async (outdated) => {
        const [stamps, entries] = await Promise.all([this.#folder.stampsOf([...outdated]), this.#load()]);
        await this.#update(outdated, stamps, entries);
        return this.#keep(this.#known?.at ?? Number.NEGATIVE_INFINITY, entries);
      })
    );
  }

  /** What changes during the look is outdated still, and all of it where the look fails. */
  async #takingOutdated<Result>(look: (outdated: ReadonlySet<string>) => Promise<Result>): Promise<Result> {
    const outdated = this.#outdated;
    this.#outdated = new Set();
    this.#isLooking = outdated.size > 0;
    try {
      return await look(outdated);
    } catch (error) {
      this.outdate([...outdated]);
      throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Takes over what the files of these ids have become; those without a stamp are gone. */
  async #update(
    ids: ReadonlySet<string>,
    stamps: ReadonlyMap<string, FileStamp>,
    entries: Map<string, IndexedConversation>,
  ): Promise<void> {
    const changed: (readonly [string, FileStamp])[] = [];
    for (const id of ids) {
      const stamp = stamps.get(id);
      this.#unreadable.delete(id);
      if (stamp !== undefined) {
        if (!isSame(entries.get(id), stamp)) changed.push([id, stamp]);
      } else if (entries.has(id)) this.#change(() => entries.delete(id));
    }
    await forEachAtOnce(readsAtOnce, changed, async ([id, stamp]) => {
      const stored = await this.#read(id);
      if (stored === "missing") return;
      const summary = summarise(id, stored === "unreadable" ? nothingReadable : stored, stamp);
      if (stored !== "unreadable") this.#change(() => entries.set(id, { ...stamp, summary }));
      else if (!entries.has(id)) this.#unreadable.set(id, { ...stamp, summary });
    });
    if (this.#unsaved > mostUnsaved) await this.#save();
  }

  #keep(at: number, entries: ReadonlyMap<string, IndexedConversation>): readonly IndexedConversation[] {
    const conversations = [...entries.values(), ...this.#unreadable.values()]
      .filter(({ summary }) => hasContent(summary))
      .sort((one, other) => compareByTime(one.summary, other.summary));
    this.#known = { at, conversations };
    return conversations;
  }

  async #read(id: string): Promise<StoredConversation | "missing" | "unreadable"> {
    try {
      return await readConversation(this.#folder.read(id));
    } catch (error) {
      return isErrorCode(error, "ENOENT") ? "missing" : "unreadable";
    }
  }

  #change(change: () => unknown): void {
    change();
    this.#unsaved += 1;
  }

  async #load(): Promise<Map<string, IndexedConversation>> {
    this.#entries ??= new Map((await this.#file.read()).map((entry) => [entry.summary.id, entry]));
    return this.#entries;
  }

  async #save(): Promise<void> {
    if (this.#entries === undefined || this.#unsaved === 0) return;
    this.#unsaved = 0;
    // The index only spares time; the conversations are in their files.
    await this.#file.write(this.#entries.values()).catch(() => undefined);
  }
}

function isSame(entry: FileStamp | undefined, stamp: FileStamp): boolean {
  return entry !== undefined && entry.size === stamp.size && entry.mtimeMs === stamp.mtimeMs;
}

/** Not so a file whose first record is yet to come. */
function hasContent({ turns, title, skipped }: ConversationSummary): boolean {
  return turns > 0 || title !== "" || skipped > 0;
}

const nothingReadable: StoredConversation = {
  transcript: { turns: [], arriving: null, leafId: null },
  title: null,
  pinned: false,
  createdAt: null,
  skipped: 1,
  unknown: 0,
};
