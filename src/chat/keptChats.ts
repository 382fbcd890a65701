import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";

/** Drafts of chats that nobody comes back to are given up at last. */
const mostDrafts = 50;
/** Characters; a longer draft is kept while the window is open. */
const longestDraft = 100_000;

const keptSchema = v.object({
  /** The chat that the view shows. */
  viewChat: v.exactOptional(v.string()),
  /** By chat, the newest last. */
  drafts: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
});

type Kept = v.InferOutput<typeof keptSchema>;

/**
 * What a workspace keeps of its open chats beside the conversations themselves. A file of its own, since
 * the editor writes its state only now and then, and a window may close at any moment. A failure to write
 * costs a draft at most, and is not spoken of.
 */
export class KeptChats {
  readonly #path: string;
  #kept: Kept;
  #writing: Promise<void> | undefined;
  #stale = false;

  private constructor(path: string, kept: Kept) {
    this.#path = path;
    this.#kept = kept;
  }

  static async open(path: string): Promise<KeptChats> {
    const text = await readFile(path, "utf8").catch(() => "");
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), keptSchema), text);
    return new KeptChats(path, parsed.success ? parsed.output : { drafts: [] });
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
    this.#save();
  }

  /** Resolves when all of it is written. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** One write at a time; what changes meanwhile is written after it, together. */
  #save(): void {
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
        await writeFile(temporary, JSON.stringify(this.#kept));
        await rename(temporary, this.#path);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    }
  }
}
