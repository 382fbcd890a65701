import type { StoredConversation } from "./conversationFile.ts";
import type { ConversationFolder } from "./conversationFolder.ts";
import { compareByTime, type ConversationSummary, summarise } from "./conversationSummary.ts";
import { isErrorCode } from "./fileErrors.ts";
import type { FileStamp } from "./fileStamps.ts";
import { forEachAtOnce } from "./forEachAtOnce.ts";
import { firstOf, type IndexedConversation, IndexFile } from "./indexFile.ts";
import { readConversation } from "./readConversation.ts";

/** So many summaries may have to be made again after a crash before the file is written. */
const mostUnsaved = 16;
const readsAtOnce = 8;
/** Milliseconds. */
const longestRecent = 5000;

interface Refresh {
  readonly at: number;
  readonly outdated: number;
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
  #recent: Refresh | undefined;
  /** How often this window has changed a conversation. */
  #outdated = 0;
  #unsaved = 0;
  /** One refresh after the other, so that none overtakes a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param writer unlike that of any other store on this folder */
  constructor(folder: ConversationFolder, writer: string) {
    this.#folder = folder;
    this.#file = new IndexFile(folder.path, writer);
  }

  /** What there is now, the newest first. A file that cannot be read stands in the list without a title. */
  conversations(): Promise<readonly IndexedConversation[]> {
    const refreshed = this.#last.then(() => this.#refresh());
    this.#last = refreshed.catch(() => undefined);
    return refreshed;
  }

  /**
   * The same, but up to 5 seconds old as to what other windows did. For one who types a query, looking at
   * ten thousand files for each letter takes longer than the search.
   */
  recentConversations(): Promise<readonly IndexedConversation[]> {
    const recent = this.#recent;
    const holds = recent?.outdated === this.#outdated && performance.now() - recent.at < longestRecent;
    return recent !== undefined && holds ? Promise.resolve(recent.conversations) : this.conversations();
  }

  /**
   * The first of the list as it was when it was last looked at or written down, without a look at the files:
   * something to show at once, until `conversations` is there.
   */
  async firstConversations(most: number): Promise<readonly IndexedConversation[]> {
    if (this.#recent !== undefined) return firstOf(this.#recent.conversations, most);
    return (await this.#file.readFirst(most)).filter(({ summary }) => hasContent(summary));
  }

  /** To be called when this window has changed a conversation. */
  outdate(): void {
    this.#outdated += 1;
  }

  /** Writes down what has changed. Without it the next start reads a few files more. */
  async save(): Promise<void> {
    await this.#last;
    await this.#save();
  }

  async #refresh(): Promise<readonly IndexedConversation[]> {
    const at = performance.now();
    const outdated = this.#outdated;
    const [stamps, entries] = await Promise.all([this.#folder.list(), this.#load()]);
    for (const id of entries.keys()) {
      if (!stamps.has(id)) this.#change(() => entries.delete(id));
    }
    const changed = [...stamps].filter(([id, stamp]) => !isSame(entries.get(id), stamp));
    const unreadable: IndexedConversation[] = [];
    await forEachAtOnce(readsAtOnce, changed, async ([id, stamp]) => {
      const stored = await this.#read(id);
      if (stored === "missing") return;
      if (stored === "unreadable") {
        if (!entries.has(id)) unreadable.push({ ...stamp, summary: summarise(id, nothingReadable, stamp) });
      } else this.#change(() => entries.set(id, { ...stamp, summary: summarise(id, stored, stamp) }));
    });
    if (this.#unsaved > mostUnsaved) await this.#save();
    const conversations = [...entries.values(), ...unreadable]
      .filter(({ summary }) => hasContent(summary))
      .sort((one, other) => compareByTime(one.summary, other.summary));
    this.#recent = { at, outdated, conversations };
    return conversations;
  }

  async #read(id: string): Promise<StoredConversation | "missing" | "unreadable"> {
    try {
      return await readConversation(this.#folder, id);
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
