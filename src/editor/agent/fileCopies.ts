import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { isErrorCode, makeOwnFolder, replaceFile } from "../../files/diskFiles.ts";
import { parseJson } from "../../protocol/conversation/json.ts";

/** Bytes of the copies of one answer. */
const maxAnswerBytes = 20 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
/** The copies of an answer are kept this long after its last write. */
const maxAgeMs = 30 * dayMs;
/** The file of a new chat may be written late, for example while the disk is full. */
const minAgeMs = dayMs;

/** The answer of a chat that writes files. */
export interface WritingAnswer {
  readonly chatId: string;
  readonly answerId: string;
}

const blob = v.pipe(v.string(), v.uuid());
const writeSchema = v.object({
  /** Name of the copy. Null if the file did not exist. */
  before: v.nullable(blob),
  /** Size of the file before, in bytes. */
  size: v.number(),
  /** Absent if the window was closed while the file was written. */
  after: v.exactOptional(blob),
});
const fileSchema = v.object({
  uri: v.string(),
  /** The topmost folder that was made for a new file. */
  madeFolder: v.exactOptional(v.string()),
  /** Consecutive writes are joined, unless somebody else has written between them. Empty once they are undone. */
  writes: v.array(writeSchema),
});
const indexSchema = v.array(fileSchema);

/** The copies of one file, in the order of the answer's writes. */
export type CopiedFile = v.InferOutput<typeof fileSchema>;

interface FileCopiesOptions {
  /** Created with the first copy. */
  readonly folder: string;
  /** Replaced by tests. */
  readonly maxBytes?: number;
}

/**
 * Keeps the contents of files from before an answer wrote them, and from after it. Each answer has a folder below that
 * of its chat. Methods reject with errors of the system.
 */
export class FileCopies {
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor({ folder, maxBytes = maxAnswerBytes }: FileCopiesOptions) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Whether the answer's copies leave room for this file. @param before undefined for a new file */
  async hasRoom(answer: WritingAnswer, uri: string, before: Uint8Array | undefined): Promise<boolean> {
    const files = await this.filesOf(answer);
    if (await this.#isAfterLastWrite(answer, fileIn(files, uri), before)) return true;
    const used = files.flatMap(({ writes }) => writes).reduce((sum, { size }) => sum + size, 0);
    return used + (before?.length ?? 0) <= this.#maxBytes;
  }

  /**
   * Copies a file before it is written.
   * @param before undefined for a new file
   * @param madeFolder the topmost folder that the write will make
   */
  async begin(
    answer: WritingAnswer,
    uri: string,
    before: Uint8Array | undefined,
    madeFolder?: string,
  ): Promise<void> {
    const files = await this.#indexOf(answer);
    const file = fileIn(files, uri) ?? {
      uri,
      writes: [],
      ...(madeFolder === undefined ? {} : { madeFolder }),
    };
    if (await this.#isAfterLastWrite(answer, file, before)) return;
    const copied = before === undefined ? null : await this.#copy(answer, before);
    const writes = [...file.writes, { before: copied, size: before?.length ?? 0 }];
    await this.#save(answer, [...files.filter((each) => each.uri !== uri), { ...file, writes }]);
  }

  /** Copies a file after it was written. */
  async end(answer: WritingAnswer, uri: string, after: Uint8Array): Promise<void> {
    const files = await this.#indexOf(answer);
    const file = fileIn(files, uri);
    const last = file?.writes.at(-1);
    if (file === undefined || last === undefined) return;
    const copied = await this.#copy(answer, after);
    const writes = [...file.writes.slice(0, -1), { ...last, after: copied }];
    await this.#save(
      answer,
      files.map((each) => (each === file ? { ...file, writes } : each)),
    );
    if (last.after !== undefined) await rm(this.#pathOf(answer, last.after), { force: true });
  }

  /** The write failed: forgets the copy that was made for it. */
  async cancel(answer: WritingAnswer, uri: string): Promise<void> {
    const files = await this.#indexOf(answer);
    const last = fileIn(files, uri)?.writes.at(-1);
    if (last === undefined || last.after !== undefined) return;
    const left = files.map((each) =>
      each.uri === uri ? { ...each, writes: each.writes.slice(0, -1) } : each,
    );
    await this.#save(
      answer,
      left.filter((each) => each.uri !== uri || each.writes.length > 0),
    );
    if (last.before !== null) await rm(this.#pathOf(answer, last.before), { force: true });
  }

  /** The files that the answer has written, as far as there are copies, in the order of their first write. */
  async filesOf(answer: WritingAnswer): Promise<readonly CopiedFile[]> {
    return (await this.#indexOf(answer)).filter(({ writes }) => writes.length > 0);
  }

  /** URIs of files whose copies were dropped while the answer still has copies of others. */
  async droppedOf(answer: WritingAnswer): Promise<readonly string[]> {
    return (await this.#indexOf(answer)).filter(({ writes }) => writes.length === 0).map(({ uri }) => uri);
  }

  async #indexOf(answer: WritingAnswer): Promise<readonly CopiedFile[]> {
    const text = await readFile(this.#pathOf(answer, indexName), "utf8").catch(ignoreMissing);
    const parsed = v.safeParse(indexSchema, parseJson(text ?? ""));
    return parsed.success ? parsed.output : [];
  }

  read(answer: WritingAnswer, copy: string): Promise<Uint8Array> {
    return readFile(this.#pathOf(answer, copy));
  }

  /** Deletes the copies of these files, or of all files. */
  async drop(answer: WritingAnswer, uris?: readonly string[]): Promise<void> {
    const files = await this.#indexOf(answer);
    const isDropped = ({ uri }: CopiedFile): boolean => uris?.includes(uri) !== false;
    const left = files.map((file) => (isDropped(file) ? { ...file, writes: [] } : file));
    if (left.every(({ writes }) => writes.length === 0)) {
      await rm(this.#folderOf(answer), { recursive: true, force: true });
      return;
    }
    await this.#save(answer, left);
    for (const { writes } of files.filter(isDropped))
      for (const { before, after } of writes)
        for (const copy of [before, after])
          if (typeof copy === "string") await rm(this.#pathOf(answer, copy), { force: true });
  }

  /**
   * Deletes the copies of chats that no longer exist, and those that are too old.
   * @param chatIds existing chats, with those in the trash
   */
  async clean(chatIds: () => Promise<ReadonlySet<string>>, now: Date): Promise<void> {
    const folders = await readdir(this.#folder).catch(ignoreMissing);
    if (folders === undefined || folders.length === 0) return;
    const kept = new Set([...(await chatIds())].map(nameOf));
    for (const chat of folders) {
      const answers = await readdir(join(this.#folder, chat));
      for (const answer of answers) {
        const folder = join(this.#folder, chat, answer);
        const age = now.getTime() - (await lastWriteIn(folder));
        const isOver = age >= maxAgeMs || (age >= minAgeMs && !kept.has(chat));
        if (isOver) await rm(folder, { recursive: true, force: true });
      }
      // Fails unless the folder is empty.
      await rmdir(join(this.#folder, chat)).catch(() => undefined);
    }
  }

  /** Whether the file is as the answer's last write left it. */
  async #isAfterLastWrite(
    answer: WritingAnswer,
    file: CopiedFile | undefined,
    now: Uint8Array | undefined,
  ): Promise<boolean> {
    const after = file?.writes.at(-1)?.after;
    if (after === undefined || now === undefined) return false;
    return Buffer.from(await this.read(answer, after)).equals(now);
  }

  async #copy(answer: WritingAnswer, bytes: Uint8Array): Promise<string> {
    const name = randomUUID();
    await makeOwnFolder(this.#folderOf(answer));
    await writeFile(this.#pathOf(answer, name), bytes, { mode: 0o600 });
    return name;
  }

  async #save(answer: WritingAnswer, files: readonly CopiedFile[]): Promise<void> {
    const path = this.#pathOf(answer, indexName);
    await replaceFile(path, `${path}.${randomUUID()}.tmp`, JSON.stringify(files));
  }

  #folderOf({ chatId, answerId }: WritingAnswer): string {
    return join(this.#folder, nameOf(chatId), nameOf(answerId));
  }

  #pathOf(answer: WritingAnswer, name: string): string {
    return join(this.#folderOf(answer), name);
  }
}

const indexName = "index.json";

function fileIn(files: readonly CopiedFile[], uri: string): CopiedFile | undefined {
  return files.find((file) => file.uri === uri);
}

/** An ID can come from an imported file, so it is no name of a folder. */
function nameOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 32);
}

/** Milliseconds since 1970. */
async function lastWriteIn(folder: string): Promise<number> {
  const found = await stat(join(folder, indexName)).catch(() => stat(folder));
  return found.mtimeMs;
}

function ignoreMissing(error: unknown): undefined {
  if (!isErrorCode(error, "ENOENT")) throw error;
}
