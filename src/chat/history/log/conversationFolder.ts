import { constants } from "node:fs";
import { lutimes, open, readdir, rename, type FileHandle, unlink, readFile } from "node:fs/promises";
import { join, basename } from "node:path";
import {
  isErrorCode,
  type FileStamp,
  readStamps,
  makeOwnFolder,
  replaceFile,
} from "../../../files/diskFiles.ts";
import { forEachAtOnce } from "../../../files/concurrency.ts";
import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";

const ending = ".jsonl";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** When it was thrown away in milliseconds since 1970, then what it was called. */
const trashedName = /^(\d{1,15})-(.+)\.jsonl$/;
const stampsAtOnce = 1000;
const movesAtOnce = 8;
const pieceLength = 1024 * 1024;

export interface AppendHandle {
  readonly handle: FileHandle;
  /** Whether the file is new and lacks its header. */
  readonly created: boolean;
  /** Whether it was in the trash until now. */
  readonly broughtBack: boolean;
}

/** Whose file is opened. */
export interface AppendUse {
  /** It has been read or written before: where it was thrown away since, there is no new one. */
  readonly known: boolean;
  /** A person goes on with it, so that it leaves the trash. What arrives by itself follows it there. */
  readonly goesOn: boolean;
}

/** A conversation in the trash. */
export interface TrashedFile {
  readonly path: string;
  readonly id: string;
  /** When it was thrown away, in milliseconds since 1970. */
  readonly at: number;
}

/** What the system said of a conversation that could not be moved. */
export interface MoveFailure {
  readonly id: string;
  readonly error: unknown;
}

/** Where the conversations of one workspace lie: a file each, and beside them those thrown away. */
export class ConversationFolder {
  readonly path: string;
  readonly #trash: string;

  constructor(path: string) {
    this.path = path;
    this.#trash = join(path, "trash");
  }

  /** @throws RangeError for anything but a UUID, which might lead to another folder */
  pathOf(id: string): string {
    if (!isConversationId(id)) throw new RangeError("The id of a conversation has to be a UUID.");
    return join(this.path, `${id}${ending}`);
  }

  /** Opens for appending only, so that two windows cannot write over each other. */
  async openToAppend(id: string, { known, goesOn }: AppendUse): Promise<AppendHandle> {
    const path = this.pathOf(id);
    const existing = known ? await this.#openExisting(id, goesOn) : undefined;
    if (existing !== undefined) return existing;
    await makeOwnFolder(this.path);
    try {
      return { handle: await open(path, "ax"), created: true, broughtBack: false };
    } catch (error) {
      if (!isErrorCode(error, "EEXIST")) throw error;
      return { handle: await open(path, "a"), created: false, broughtBack: false };
    }
  }

  /** The file as long as it is now, piece by piece; a piece is valid until the next one is asked for. */
  async *read(id: string): AsyncGenerator<Uint8Array> {
    const handle = await open(this.pathOf(id), constants.O_RDONLY);
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.allocUnsafe(Math.min(Math.max(size + 1, 1024), pieceLength));
      for (let left = size; left > 0;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return;
        left -= bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  /** The conversations there are, by id. Empty where there is no folder yet. */
  async list(): Promise<ReadonlyMap<string, FileStamp>> {
    const names = (await namesIn(this.path)).filter((name) => name.endsWith(ending));
    return this.stampsOf(names.map((name) => name.slice(0, -ending.length)).filter(isConversationId));
  }

  /** Those of these conversations that there are, by id. */
  async stampsOf(ids: readonly string[]): Promise<ReadonlyMap<string, FileStamp>> {
    const stamps = new Map<string, FileStamp>();
    for (let start = 0; start < ids.length; start += stampsAtOnce) {
      const some = ids.slice(start, start + stampsAtOnce);
      const found = await readStamps(some.map((id) => this.pathOf(id)));
      for (const [index, id] of some.entries()) {
        const stamp = found[index];
        if (stamp !== undefined) stamps.set(id, stamp);
      }
    }
    return stamps;
  }

  async stampOf(id: string): Promise<FileStamp | undefined> {
    return (await readStamps([this.pathOf(id)]))[0];
  }

  /** Sets when it was changed to now, without a change. Rejects where there is none. */
  async touch(id: string): Promise<void> {
    const now = new Date();
    await lutimes(this.pathOf(id), now, now);
  }

  /** Moves conversations to the trash: gives those that were there to be moved, and those that could not be. */
  async moveToTrash(
    ids: readonly string[],
    at: Date,
  ): Promise<{ readonly trashed: readonly TrashedFile[]; readonly failures: readonly MoveFailure[] }> {
    const files = ids.map((id) => ({ id, from: this.pathOf(id), at: at.getTime() }));
    await makeOwnFolder(this.#trash);
    const trashed: TrashedFile[] = [];
    const failures: MoveFailure[] = [];
    await forEachAtOnce(movesAtOnce, files, async ({ id, from, at: time }) => {
      const path = join(this.#trash, `${time}-${id}${ending}`);
      try {
        if (await moved(from, path)) trashed.push({ id, path, at: time });
      } catch (error) {
        failures.push({ id, error });
      }
    });
    return { trashed, failures };
  }

  /**
   * Takes it back; where there is such a conversation again, as the beginning of that. False where it is
   * neither in the trash nor back already.
   */
  async restore({ id, path }: TrashedFile): Promise<boolean> {
    const isThere = (await this.stampOf(id)) !== undefined;
    const trashed = isThere ? await openExisting(path) : undefined;
    if (trashed !== undefined) {
      // The older lines first: those that are there may speak of their turns.
      try {
        await trashed.write("\n");
        for await (const piece of this.read(id)) await trashed.writeFile(piece);
        await trashed.datasync();
      } finally {
        await trashed.close();
      }
    }
    return (await moved(path, this.pathOf(id))) || (await this.stampOf(id)) !== undefined;
  }

  /** What was last thrown away by that id. */
  async #newestTrashed(id: string): Promise<TrashedFile | undefined> {
    const files = (await this.#listTrash()).filter((file) => file.id === id);
    return files.toSorted((one, other) => other.at - one.at)[0];
  }

  /** Ends for good what is chosen of all that is in the trash. */
  async purge(choose: (trashed: readonly TrashedFile[]) => Promise<readonly TrashedFile[]>): Promise<void> {
    const old = await choose(await this.#listTrash());
    for (const { path } of old) await unlink(path).catch(ignoreMissing);
  }

  /** The file, or where it was moved to; undefined where there is neither. */
  async #openExisting(id: string, goesOn: boolean): Promise<AppendHandle | undefined> {
    const path = this.pathOf(id);
    const inPlace = await openExisting(path);
    if (inPlace !== undefined) return { handle: inPlace, created: false, broughtBack: false };
    const trashed = await this.#newestTrashed(id);
    if (trashed === undefined) return undefined;
    const broughtBack = goesOn && (await this.restore(trashed));
    const handle = await openExisting(broughtBack ? path : trashed.path);
    return handle && { handle, created: false, broughtBack };
  }

  async #listTrash(): Promise<readonly TrashedFile[]> {
    return (await namesIn(this.#trash)).flatMap((name) => {
      const [, at, id] = trashedName.exec(name) ?? [];
      if (at === undefined || id === undefined || !isConversationId(id)) return [];
      return [{ path: join(this.#trash, name), id, at: Number(at) }];
    });
  }
}

/** Whether it can be a conversation's id and thereby its file's name: a UUID in small letters, nothing else. */
function isConversationId(id: string): boolean {
  return uuid.test(id);
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isErrorCode(error, "ENOENT")) throw error;
}

/** For how many milliseconds each file had lain in the trash at a look, by its name. */
const agesSchema = v.object({ lookedAt: v.number(), ages: v.record(v.string(), v.number()) });

/** One look at the trash. */
interface TrashLook {
  /** What the trash is in. */
  readonly folder: string;
  /** Unlike that of any other look. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Of the files in the trash, those that had lain there for so many milliseconds at this look and at the one before, on
 * another day. A clock that is wrong at one of them ends none. Ages are kept in `trash.json`, beside the trash.
 * @throws Error of the system where they cannot be kept
 */
export async function filesInTrashFor(
  milliseconds: number,
  trashed: readonly TrashedFile[],
  { folder, id, now }: TrashLook,
): Promise<readonly TrashedFile[]> {
  if (trashed.length === 0) return [];
  const path = join(folder, "trash.json");
  const before = await readAges(path);
  const ages = Object.fromEntries(trashed.map((file) => [basename(file.path), now - file.at]));
  await replaceFile(path, join(folder, `trash.${id}.tmp`), JSON.stringify({ lookedAt: now, ages }));
  if (new Date(before.lookedAt).toDateString() === new Date(now).toDateString()) return [];
  const isOld = (age = 0): boolean => age >= milliseconds;
  return trashed.filter((file) => isOld(now - file.at) && isOld(before.ages[basename(file.path)]));
}

/** None where they cannot be read: then they begin anew. */
async function readAges(path: string): Promise<v.InferOutput<typeof agesSchema>> {
  const parsed = v.safeParse(agesSchema, parseJson(await readFile(path, "utf8").catch(() => "")));
  return parsed.success ? parsed.output : { lookedAt: 0, ages: {} };
}
