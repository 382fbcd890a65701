import { readFile, rename } from "node:fs/promises";
import * as v from "valibot";
import { isErrorCode, replaceFile } from "../../files/diskFiles.ts";

/** Milliseconds until what could not be written is tried again. */
const retryPause = 5000;
/** UTF-16 units a millisecond, on the average: all is written anew at each change, and an answer may be on its way. */
const maxWrittenPerMs = 4000;
/** The newest so many values are kept, so that the file does not grow for ever. */
const maxValues = 50;
/** Of the last so many chats it is remembered when their values changed, also to none. */
const maxChanges = 200;

interface SavedValues<Value> {
  /** The chat that the view shows. */
  readonly viewChat?: string;
  /** By chat, the newest last. */
  readonly drafts: readonly (readonly [string, Value])[];
  /** When a chat's value was changed last, also to none: milliseconds since 1970, made to grow with each change. */
  readonly changes: Readonly<Record<string, number>>;
}

interface MergedJsonFileOptions<Value> {
  readonly path: string;
  /** Of one chat's value. */
  readonly schema: v.GenericSchema<unknown, Value>;
  /** UTF-16 units of all of them together, as `sizeOf` counts; what is too much is given up from the oldest on. */
  readonly maxCharacters: number;
  readonly sizeOf: (value: Value) => number;
  readonly now: () => Date;
}

/**
 * Values by chat in a file. All windows of the workspace write it, each its own values into what the
 * others have written; of a chat that two of them changed, the newer value stays. A failure to write costs a draft at most; it is tried again, and not spoken of.
 */
export class MergedJsonFile<Value> {
  readonly #options: MergedJsonFileOptions<Value>;
  #saved: SavedValues<Value>;
  /** When the chats' values were changed here. Never forgotten: two windows that write at once may miss each other. */
  readonly #changed = new Map<string, number>();
  /** Of these, what no write has taken along yet. */
  readonly #unwritten = new Map<string, number>();
  #retry: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #stale = false;
  /** After a write; what changes meanwhile waits for its end. */
  #rest: Promise<void> | undefined;
  #endRest: (() => void) | undefined;
  #closed = false;

  private constructor(options: MergedJsonFileOptions<Value>, kept: SavedValues<Value>) {
    this.#options = options;
    this.#saved = kept;
  }

  static async open<Value>(options: MergedJsonFileOptions<Value>): Promise<MergedJsonFile<Value>> {
    // What cannot be read now is taken in ahead of the next write.
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

  /** The oldest first. */
  get ids(): readonly string[] {
    return this.#saved.drafts.map(([id]) => id);
  }

  get(id: string): Value | undefined {
    return this.#saved.drafts.find(([other]) => other === id)?.[1];
  }

  /** Undefined keeps nothing for this chat. */
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

  /** Resolves when all of it is written, or could not be: what waits for another try gets it now. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endRest?.();
    if (this.#retry !== undefined) this.#save();
    while (this.#writing !== undefined) await this.#writing;
  }

  /** One write at a time; what changes meanwhile is written after it, together. */
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
        // A file that says nothing is put aside, and takes nothing away from what is known here.
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

  /** Nothing of a file that cannot be understood is lost: a newer version of the extension may have written it. */
  async #putAside(): Promise<SavedValues<Value>> {
    const { path } = this.#options;
    await rename(path, `${path}.unreadable`);
    return this.#saved;
  }

  /** A time that is still to come was written before the clock was set back: what was changed here is newer. */
  #exceedFutureTimes({ changes }: SavedValues<Value>): void {
    const now = this.#options.now().getTime();
    for (const [id, at] of this.#unwritten) {
      const other = changes[id] ?? 0;
      if (other > now) this.#changed.set(id, Math.max(at, other + 1));
    }
  }

  /** Takes in what the others have written, but for what is newer here. */
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
    // An older version of the extension writes none.
    changes: v.optional(v.record(v.string(), v.number()), {}),
  });
}

/**
 * Undefined where the file is there but cannot be understood.
 * @throws Error of the system, where the file may hold something all the same
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
