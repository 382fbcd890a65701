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

/** Maximum number of unsaved summaries. After a crash, these must be computed again. */
const maxUnsaved = 16;
const readsAtOnce = 8;
const maxRecentMs = 5000;

/** The cached list of the folder. */
interface Known {
  /** Time of the last check of all files, from the monotonic clock. */
  readonly at: number;
  readonly conversations: readonly IndexedConversation[];
}

/**
 * The summaries of a folder's conversations. A cached summary is valid if the file still has the same size and time.
 * All other summaries are computed from the files, which are the source of truth.
 */
export class ConversationIndex {
  readonly #folder: ConversationFolder;
  readonly #file: IndexFile;
  #entries: Map<string, IndexedConversation> | undefined;
  readonly #unreadable = new Map<string, IndexedConversation>();
  #known: Known | undefined;
  /** IDs that this window changed since their last check. */
  #outdated: ReadonlySet<string> = new Set();
  /** Whether outdated entries are being checked. */
  #isLooking = false;
  #unsaved = 0;
  /** Runs checks one after the other, so that an older result never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param writer unique among all stores of this folder */
  constructor(folder: ConversationFolder, writer: string) {
    this.#folder = folder;
    this.#file = new IndexFile(folder.path, writer);
  }

  /** Checks all files and returns the conversations, newest first. An unreadable file has an empty title. */
  conversations(): Promise<readonly IndexedConversation[]> {
    return this.#inTurn(() => this.#lookAtAll());
  }

  /**
   * Returns the cached conversations, after checking those that this window changed. Checking ten thousand files takes
   * longer than a user who types or pins a chat should wait.
   */
  async knownConversations(): Promise<readonly IndexedConversation[]> {
    return this.#knownNow() ?? this.#inTurn(() => this.#lookAtOutdated());
  }

  /** Returns the cached conversations, with changes of other windows at most 5 seconds late. */
  async recentConversations(): Promise<readonly IndexedConversation[]> {
    const recent = this.#isRecent() ? this.#knownNow() : undefined;
    // Check again when it is this call's turn: an earlier call may have checked all files.
    return recent ?? this.#inTurn(() => (this.#isRecent() ? this.#lookAtOutdated() : this.#lookAtAll()));
  }

  /**
   * Returns the first conversations from the cache or the index file, without checking any files. Use this for an
   * instant display until `conversations` resolves.
   */
  async firstConversations(limit: number): Promise<readonly IndexedConversation[]> {
    if (this.#known !== undefined) return firstOf(this.#known.conversations, limit);
    return (await this.#file.readFirst(limit)).filter(({ summary }) => hasContent(summary));
  }

  /** Call this after this window changed, removed or restored conversations. */
  outdate(ids: readonly string[]): void {
    this.#outdated = new Set([...this.#outdated, ...ids]);
  }

  /** Writes changes to the index file. Without it, the next start reads a few more files. */
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

  /** Changes during the check stay outdated. If the check fails, everything stays outdated. */
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

  /** Updates the entries of these IDs from their files. IDs without a stamp are removed. */
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
    // Ignore a failed write: the index is only a cache of the files.
    await this.#file.write(this.#entries.values()).catch(() => undefined);
  }
}

function isSame(entry: FileStamp | undefined, stamp: FileStamp): boolean {
  return entry !== undefined && entry.size === stamp.size && entry.mtimeMs === stamp.mtimeMs;
}

/** Returns false for a file whose first record is not written yet. */
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

/** A file of another version is ignored and rebuilt. */
const head = JSON.stringify({ version: 2 });
/** Maximum lines parsed before other tasks get a turn. */
const linesAtOnce = 250;
/** Estimated maximum bytes of an entry. Most entries have about 400 bytes. */
const maxUsualBytes = 1024;

const entrySchema = v.object({ size: v.number(), mtimeMs: v.number(), summary: summarySchema });

/** A summary with the stamp of its file. */
export interface IndexedConversation extends FileStamp {
  readonly summary: ConversationSummary;
}

/** Returns the first `limit` conversations, pinned ones first. Both parts keep their order. */
function firstOf(
  conversations: readonly IndexedConversation[],
  limit: number,
): readonly IndexedConversation[] {
  const pinned = conversations.filter(({ summary }) => summary.pinned);
  const others = conversations.filter(({ summary }) => !summary.pinned);
  return [...pinned, ...others].slice(0, limit);
}

/** `index.jsonl`: the version in the first line, then one entry per line, in the order of the list. */
class IndexFile {
  readonly #path: string;
  readonly #temporaryPath: string;

  /** @param writer unique among all stores of this folder */
  constructor(folder: string, writer: string) {
    this.#path = join(folder, "index.jsonl");
    this.#temporaryPath = join(folder, `index.${writer}.tmp`);
  }

  /** Returns all readable entries. Empty if there is no file of this version. */
  async read(): Promise<readonly IndexedConversation[]> {
    const lines = linesOf(await readFile(this.#path, "utf8").catch(() => ""));
    const entries: IndexedConversation[] = [];
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      if (start > 0) await nextTurn();
      entries.push(...readEntries(lines.slice(start, start + linesAtOnce)));
    }
    return entries;
  }

  /** Returns the entries at the beginning of the file. Returns fewer than `limit` if entries are unusually long. */
  async readFirst(limit: number): Promise<readonly IndexedConversation[]> {
    return readEntries(linesOf(await this.#readStart(limit * maxUsualBytes)).slice(0, limit));
  }

  /** @throws a system error if writing fails */
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

/** Returns the complete lines after the version, or nothing if the file has another version. */
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
