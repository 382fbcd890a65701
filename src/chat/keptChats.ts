import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";

/** Drafts of chats that nobody comes back to are given up at last. */
const mostDrafts = 50;
/** Characters; a longer draft is kept while the window is open. */
const longestDraft = 100_000;
/** Milliseconds until what could not be written is tried again. */
const retryPause = 5000;

const keptSchema = v.object({
  /** The chat that the view shows. */
  viewChat: v.exactOptional(v.string()),
  /** By chat, the newest last. */
  drafts: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
});

type Kept = v.InferOutput<typeof keptSchema>;

/**
 * What a workspace keeps of its open chats beside the conversations themselves. A file of its own, since
 * the editor writes its state only now and then, and a window may close at any moment. All windows of the
 * workspace write it, each its own drafts into what the others have written. A failure to write costs a
 * draft at most; it is tried again, and not spoken of.
 */
export class KeptChats {
  readonly #path: string;
  #kept: Kept;
  /** Chats whose drafts were changed here, also to none. */
  readonly #changed = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #stale = false;

  private constructor(path: string, kept: Kept) {
    this.#path = path;
    this.#kept = kept;
  }

  static async open(path: string): Promise<KeptChats> {
    return new KeptChats(path, await readKept(path));
  }

  get viewChat(): string | undefined {
    return this.#kept.viewChat;
  }

  draftOf(chatId: string): string {
    return this.#kept.drafts.find(([id]) => id === chatId)?.[1] ?? "";
  }

  keepViewChat(chatId: string): void {
    this.#kept = { ...this.#kept, viewChat: chatId };
    this.#save();
  }

  keepDraft(chatId: string, draft: string): void {
    const others = this.#kept.drafts.filter(([id]) => id !== chatId);
    const isKept = draft.trim() !== "" && draft.length <= longestDraft;
    const drafts = isKept ? [...others, [chatId, draft] satisfies [string, string]] : others;
    this.#kept = { ...this.#kept, drafts: drafts.slice(-mostDrafts) };
    this.#changed.add(chatId);
    this.#save();
  }

  /** Resolves when all of it is written. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** One write at a time; what changes meanwhile is written after it, together. */
  #save(): void {
    clearTimeout(this.#retry);
    this.#stale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const temporary = `${this.#path}.${process.pid}.new`;
      try {
        await mkdir(dirname(this.#path), { recursive: true });
        await writeFile(temporary, JSON.stringify(this.#joinTo(await readKept(this.#path))));
        await rename(temporary, this.#path);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#save(), retryPause).unref();
      }
    }
  }

  /** What stands in the file, with what was changed here. */
  #joinTo(stored: Kept): Kept {
    const others = stored.drafts.filter(([id]) => !this.#changed.has(id));
    const own = this.#kept.drafts.filter(([id]) => this.#changed.has(id));
    return { ...stored, ...this.#kept, drafts: [...others, ...own].slice(-mostDrafts) };
  }
}

async function readKept(path: string): Promise<Kept> {
  const text = await readFile(path, "utf8").catch(() => "");
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), keptSchema), text);
  return parsed.success ? parsed.output : { drafts: [] };
}
