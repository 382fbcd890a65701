import { readFile, rename } from "node:fs/promises";
import * as v from "valibot";
import { isErrorCode, replaceFile } from "../../files/diskFiles.ts";

/** Milliseconds before a failed write is retried. */
const retryPause = 5000;
/** Maximum average UTF-16 units written per millisecond. Each change rewrites the whole file. */
const maxWrittenPerMs = 4000;
/** Maximum number of values. Older values are dropped, so that the file stays small. */
const maxValues = 50;
/** Maximum number of chats with a saved time of change, including chats without a value. */
const maxChanges = 200;

interface SavedValues<Value> {
  /** ID of the chat in the view. */
  readonly viewChat?: string;
  /** By chat ID, newest last. */
  readonly drafts: readonly (readonly [string, Value])[];
  /** Time of a chat's last change or removal, in milliseconds since 1970. Increases with each change. */
  readonly changes: Readonly<Record<string, number>>;
}

interface MergedJsonFileOptions<Value> {
  readonly path: string;
  /** The schema of one chat's value. */
  readonly schema: v.GenericSchema<unknown, Value>;
  /** Maximum total of all sizes, as `sizeOf` counts them. The oldest values are dropped first. */
  readonly maxCharacters: number;
  readonly sizeOf: (value: Value) => number;
  readonly now: () => Date;
}

/**
 * A file with one value per chat. All windows of the workspace merge their own changes into the file. If two windows
 * change the same chat, the newer value wins. A failed write is retried without a message.
 */
export class MergedJsonFile<Value> {
  readonly #options: MergedJsonFileOptions<Value>;
  #saved: SavedValues<Value>;
  /** Times of changes in this window. Never cleared, because another window may overwrite a written change. */
  readonly #changed = new Map<string, number>();
  /** Changes that are not written yet. */
  readonly #unwritten = new Map<string, number>();
  #retry: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #stale = false;
  /** Pause after a write. Changes during the pause are written when it ends. */
  #rest: Promise<void> | undefined;
  #endRest: (() => void) | undefined;
  #closed = false;

  private constructor(options: MergedJsonFileOptions<Value>, kept: SavedValues<Value>) {
    this.#options = options;
    this.#saved = kept;
  }

  static async open<Value>(options: MergedJsonFileOptions<Value>): Promise<MergedJsonFile<Value>> {
    // If reading fails now, the next write merges the file's values.
    const stored = await readSaved(options).catch(() => undefined);
    return new MergedJsonFile(options, stored ?? nothingSaved);
  }

  get viewChat(): string | undefined {
    return this.#saved.viewChat;
  }

  setViewChat(viewChat: string): void {
    this.#saved = { ...this.#saved, viewChat };
    this.#save();
  }

  /** Oldest first. */
  get ids(): readonly string[] {
    return this.#saved.drafts.map(([id]) => id);
  }

  get(id: string): Value | undefined {
    return this.#saved.drafts.find(([other]) => other === id)?.[1];
  }

  /** Sets the value of a chat. Undefined removes it. */
  set(id: string, value: Value | undefined): void {
    const before = this.#saved.drafts;
    const others = before.filter(([other]) => other !== id);
    if (value === undefined && others.length === before.length) return;
    this.#saved = {
      ...this.#saved,
      drafts: this.#newest(value === undefined ? others : [...others, [id, value]]),
    };
    const { changes } = this.#saved;
    const at = Math.max(this.#options.now().getTime(), (changes[id] ?? 0) + 1);
    this.#saved = { ...this.#saved, changes: { ...changes, [id]: at } };
    this.#changed.set(id, at);
    this.#unwritten.set(id, at);
    this.#save();
  }

  /** Resolves after the last write, even if it failed. A pending retry runs immediately. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endRest?.();
    if (this.#retry !== undefined) this.#save();
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Runs one write at a time. Changes during a write are written together after it. */
  #save(): void {
    this.#forgetRetry();
    this.#stale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  #forgetRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  async #write(): Promise<void> {
    const { path } = this.#options;
    while (this.#stale) {
      await this.#rest;
      this.#stale = false;
      try {
        // Move an unreadable file aside. The values in memory stay.
        const stored = (await readSaved(this.#options)) ?? (await this.#putAside());
        this.#exceedFutureTimes(stored);
        this.#merge(stored);
        const taken = [...this.#unwritten];
        const text = JSON.stringify(this.#saved);
        await replaceFile(path, `${path}.${process.pid}.new`, text);
        this.#restAfter(text.length);
        for (const [id, at] of taken) if (this.#unwritten.get(id) === at) this.#unwritten.delete(id);
      } catch {
        this.#forgetRetry();
        this.#retry = setTimeout(() => this.#save(), retryPause).unref();
      }
    }
  }

  #restAfter(written: number): void {
    this.#rest = this.#closed
      ? undefined
      : new Promise((resolve) => {
          const timer = setTimeout(resolve, written / maxWrittenPerMs).unref();
          this.#endRest = () => {
            clearTimeout(timer);
            resolve();
          };
        });
  }

  /** Renames a file that cannot be parsed. A newer version of the extension may have written it. */
  async #putAside(): Promise<SavedValues<Value>> {
    const { path } = this.#options;
    await rename(path, `${path}.unreadable`);
    return this.#saved;
  }

  /** A time in the future comes from before the clock was set back, so changes of this window are newer. */
  #exceedFutureTimes({ changes }: SavedValues<Value>): void {
    const now = this.#options.now().getTime();
    for (const [id, at] of this.#unwritten) {
      const other = changes[id] ?? 0;
      if (other > now) this.#changed.set(id, Math.max(at, other + 1));
    }
  }

  /** Merges the values of other windows, except chats whose value is newer in this window. */
  #merge(stored: SavedValues<Value>): void {
    const isOwn = (id: string): boolean => (this.#changed.get(id) ?? -1) >= (stored.changes[id] ?? 0);
    const { viewChat, drafts, changes } = this.#saved;
    const own = drafts.filter(([id]) => isOwn(id));
    const all = [...stored.drafts.filter(([id]) => !isOwn(id)), ...own];
    const at = {
      ...changes,
      ...stored.changes,
      ...Object.fromEntries([...this.#changed].filter(([id]) => isOwn(id))),
    };
    this.#saved = {
      ...stored,
      ...(viewChat === undefined ? {} : { viewChat }),
      drafts: this.#newest(all.toSorted(([one], [other]) => (at[one] ?? 0) - (at[other] ?? 0))),
      changes: Object.fromEntries(
        Object.entries(at)
          .toSorted(([, one], [, other]) => one - other)
          .slice(-maxChanges),
      ),
    };
  }

  #newest(drafts: SavedValues<Value>["drafts"]): SavedValues<Value>["drafts"] {
    const { maxCharacters, sizeOf } = this.#options;
    let characters = 0;
    const first = drafts.findLastIndex(([, value], at) => {
      characters += sizeOf(value);
      return characters > maxCharacters || drafts.length - at > maxValues;
    });
    return drafts.slice(first + 1);
  }
}

const nothingSaved = { drafts: [], changes: {} } as const;

function savedSchema<Value>(
  value: v.GenericSchema<unknown, Value>,
): v.GenericSchema<unknown, SavedValues<Value>> {
  return v.object({
    viewChat: v.exactOptional(v.string()),
    drafts: v.optional(v.array(v.tuple([v.string(), value])), []),
    // Older versions of the extension do not write this field.
    changes: v.optional(v.record(v.string(), v.number()), {}),
  });
}

/**
 * Returns undefined if the file exists but cannot be parsed.
 * @throws a system error if reading fails, unless the file does not exist
 */
async function readSaved<Value>({
  path,
  schema,
}: MergedJsonFileOptions<Value>): Promise<SavedValues<Value> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return nothingSaved;
    throw error;
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), savedSchema(schema)), text);
  return parsed.success ? parsed.output : undefined;
}
