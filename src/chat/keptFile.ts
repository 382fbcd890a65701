import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";

/** Milliseconds until what could not be written is tried again. */
const retryPause = 5000;

export interface Kept<Value> {
  /** The chat that the view shows. */
  readonly viewChat?: string;
  /** By chat, the newest last. */
  readonly drafts: readonly (readonly [string, Value])[];
}

export interface KeptFileOptions<Value> {
  readonly path: string;
  readonly schema: v.GenericSchema<unknown, Kept<Value>>;
  /** The newest so many are kept. */
  readonly most: number;
  /** UTF-16 units of all of them together, as `sizeOf` counts; what is too much is given up from the oldest on. */
  readonly mostCharacters: number;
  readonly sizeOf: (value: Value) => number;
}

/**
 * Values by chat in a file. All windows of the workspace write it, each its own values into what the
 * others have written. A failure to write costs a draft at most; it is tried again, and not spoken of.
 */
export class KeptFile<Value> {
  readonly #options: KeptFileOptions<Value>;
  #kept: Kept<Value>;
  /** Chats whose values were changed here, also to none. */
  readonly #changed = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #stale = false;

  private constructor(options: KeptFileOptions<Value>, kept: Kept<Value>) {
    this.#options = options;
    this.#kept = kept;
  }

  static async open<Value>(options: KeptFileOptions<Value>): Promise<KeptFile<Value>> {
    return new KeptFile(options, await readKept(options));
  }

  get viewChat(): string | undefined {
    return this.#kept.viewChat;
  }

  keepViewChat(viewChat: string): void {
    this.#kept = { ...this.#kept, viewChat };
    this.#save();
  }

  /** The oldest first. */
  get ids(): readonly string[] {
    return this.#kept.drafts.map(([id]) => id);
  }

  get(id: string): Value | undefined {
    return this.#kept.drafts.find(([other]) => other === id)?.[1];
  }

  /** Undefined keeps nothing for this chat. */
  set(id: string, value: Value | undefined): void {
    const before = this.#kept.drafts;
    const others = before.filter(([other]) => other !== id);
    if (value === undefined && others.length === before.length) return;
    this.#kept = {
      ...this.#kept,
      drafts: this.#newest(value === undefined ? others : [...others, [id, value]]),
    };
    this.#changed.add(id);
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
    const { path } = this.#options;
    while (this.#stale) {
      this.#stale = false;
      const temporary = `${path}.${process.pid}.new`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(temporary, JSON.stringify(this.#joinTo(await readKept(this.#options))));
        await rename(temporary, path);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#save(), retryPause).unref();
      }
    }
  }

  /** What stands in the file, with what was changed here. */
  #joinTo(stored: Kept<Value>): Kept<Value> {
    const others = stored.drafts.filter(([id]) => !this.#changed.has(id));
    const own = this.#kept.drafts.filter(([id]) => this.#changed.has(id));
    return { ...stored, ...this.#kept, drafts: this.#newest([...others, ...own]) };
  }

  #newest(drafts: Kept<Value>["drafts"]): Kept<Value>["drafts"] {
    const { most, mostCharacters, sizeOf } = this.#options;
    let characters = 0;
    const first = drafts.findLastIndex(([, value], at) => {
      characters += sizeOf(value);
      return characters > mostCharacters || drafts.length - at > most;
    });
    return drafts.slice(first + 1);
  }
}

async function readKept<Value>({ path, schema }: KeptFileOptions<Value>): Promise<Kept<Value>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : { drafts: [] };
}
