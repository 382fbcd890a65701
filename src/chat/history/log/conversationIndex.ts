import { readConversation, type StoredConversation } from "./conversationFile.ts";
import type { ConversationFolder } from "./conversationFolder.ts";
import { compareByTime, type ConversationSummary, summarise, summarySchema } from "./conversationSummary.ts";
import { isErrorCode, type FileStamp, replaceFile } from "../../../files/diskFiles.ts";
import { forEachAtOnce } from "../../../files/concurrency.ts";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";

/** So many summaries may have to be made again after a crash before the file is written. */
const maxUnsaved = 16;
const readsAtOnce = 8;
/** Milliseconds. */
const maxRecentMs = 5000;

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
  async firstConversations(limit: number): Promise<readonly IndexedConversation[]> {
    if (this.#known !== undefined) return firstOf(this.#known.conversations, limit);
    return (await this.#file.readFirst(limit)).filter(({ summary }) => hasContent(summary));
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
    return this.#known !== undefined && performance.now() - this.#known.at < maxRecentMs;
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
      return this.#setKnown(at, entries);
    });
  }

  async #lookAtOutdated(): Promise<readonly IndexedConversation[]> {
    return (
      this.#knownNow() ??
      this.#takingOutdated(async (outdated) => {
        const [stamps, entries] = await Promise.all([this.#folder.stampsOf([...outdated]), this.#load()]);
        await this.#update(outdated, stamps, entries);
        return this.#setKnown(this.#known?.at ?? Number.NEGATIVE_INFINITY, entries);
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
    if (this.#unsaved > maxUnsaved) await this.#save();
  }

  #setKnown(at: number, entries: ReadonlyMap<string, IndexedConversation>): readonly IndexedConversation[] {
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

/** Another version's file is not read but made anew. */
const head = JSON.stringify({ version: 2 });
/** What is read in one go, so that the process can do something else between. */
const linesAtOnce = 250;
/** Bytes of an entry, mostly about 400. */
const maxUsualBytes = 1024;

const entrySchema = v.object({ size: v.number(), mtimeMs: v.number(), summary: summarySchema });

/** A summary with the stamp of the file it was taken from. */
export interface IndexedConversation extends FileStamp {
  readonly summary: ConversationSummary;
}

/** The pinned ones first, then the newest first, and no more of them than this. */
function firstOf(
  conversations: readonly IndexedConversation[],
  limit: number,
): readonly IndexedConversation[] {
  const pinned = conversations.filter(({ summary }) => summary.pinned);
  const others = conversations.filter(({ summary }) => !summary.pinned);
  return [...pinned, ...others].slice(0, limit);
}

/** `index.jsonl`: a line with the version, then an entry a line, in the order of the list. */
class IndexFile {
  readonly #path: string;
  readonly #temporaryPath: string;

  /** @param writer unlike that of any other store on this folder */
  constructor(folder: string, writer: string) {
    this.#path = join(folder, "index.jsonl");
    this.#temporaryPath = join(folder, `index.${writer}.tmp`);
  }

  /** All entries that can be read; none where there is no file of this version. */
  async read(): Promise<readonly IndexedConversation[]> {
    const lines = linesOf(await readFile(this.#path, "utf8").catch(() => ""));
    const entries: IndexedConversation[] = [];
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      if (start > 0) await nextTurn();
      entries.push(...readEntries(lines.slice(start, start + linesAtOnce)));
    }
    return entries;
  }

  /** The first entries, by the beginning of the file alone; mostly so many. */
  async readFirst(limit: number): Promise<readonly IndexedConversation[]> {
    return readEntries(linesOf(await this.#readStart(limit * maxUsualBytes)).slice(0, limit));
  }

  /** @throws Error of the system */
  async write(entries: Iterable<IndexedConversation>): Promise<void> {
    const sorted = [...entries].sort((one, other) => compareByTime(one.summary, other.summary));
    const lines = firstOf(sorted, sorted.length).map((entry) => JSON.stringify(entry));
    await replaceFile(this.#path, this.#temporaryPath, `${[head, ...lines].join("\n")}\n`);
  }

  async #readStart(length: number): Promise<string> {
    const handle = await open(this.#path).catch(() => undefined);
    if (handle === undefined) return "";
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } catch {
      return "";
    } finally {
      await handle.close();
    }
  }
}

/** The last line is cut off where it has no end. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines[0] === head ? lines.slice(1, -1) : [];
}

function readEntries(lines: readonly string[]): readonly IndexedConversation[] {
  return lines.flatMap((line) => {
    const entry = v.safeParse(entrySchema, parseJson(line));
    return entry.success ? [entry.output] : [];
  });
}
