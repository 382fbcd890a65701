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
/** The time of removal in milliseconds since 1970, then the original name. */
const trashedName = /^(\d{1,15})-(.+)\.jsonl$/;
const stampsAtOnce = 1000;
const movesAtOnce = 8;
const pieceLength = 1024 * 1024;

export interface AppendHandle {
  readonly handle: FileHandle;
  /** Whether the file is new and still lacks its header. */
  readonly created: boolean;
  /** Whether the file was in the trash until now. */
  readonly broughtBack: boolean;
}

/** How a file is opened. */
export interface AppendUse {
  /** Whether the conversation existed before. A conversation in the trash then gets no new file. */
  readonly known: boolean;
  /**
   * Whether the user continues the conversation, so that it leaves the trash. If not, events go to the file there.
   */
  readonly goesOn: boolean;
}

/** A conversation in the trash. */
export interface TrashedFile {
  readonly path: string;
  readonly id: string;
  /** Time of removal, in milliseconds since 1970. */
  readonly at: number;
}

/** The system error for a conversation that could not be moved. */
export interface MoveFailure {
  readonly id: string;
  readonly error: unknown;
}

/** The folder of one workspace's conversations: one file each, and a subfolder for the trash. */
export class ConversationFolder {
  readonly path: string;
  readonly #trash: string;

  constructor(path: string) {
    this.path = path;
    this.#trash = join(path, "trash");
  }

  /** @throws RangeError for anything but a lowercase UUID: another text might lead to another folder */
  pathOf(id: string): string {
    if (!isConversationId(id)) throw new RangeError("A conversation ID must be a UUID.");
    return join(this.path, `${id}${ending}`);
  }

  /** Opens for appending only, so that two windows cannot overwrite each other's data. */
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

  /** Yields the file in pieces, at least up to its current length. The next piece overwrites the last one. */
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

  /** Returns the existing conversations by ID. Empty if there is no folder yet. */
  async list(): Promise<ReadonlyMap<string, FileStamp>> {
    const names = (await namesIn(this.path)).filter((name) => name.endsWith(ending));
    return this.stampsOf(names.map((name) => name.slice(0, -ending.length)).filter(isConversationId));
  }

  /** Returns the IDs of all conversations, with those in the trash. */
  async existingIds(): Promise<ReadonlySet<string>> {
    const trashed = (await this.#listTrash()).map(({ id }) => id);
    return new Set([...(await this.list()).keys(), ...trashed]);
  }

  /** Returns the stamps of those conversations that exist, by ID. */
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

  /** Sets a file's modification time to now. Rejects if there is no file. */
  async touch(id: string): Promise<void> {
    const now = new Date();
    await lutimes(this.pathOf(id), now, now);
  }

  /**
   * Moves conversations to the trash. Resolves to the moved files and the failures. Missing files are in neither list.
   */
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
   * Restores a conversation. If a file with its ID exists again, inserts the restored lines before that file's lines.
   * Resolves to false if the conversation no longer exists anywhere.
   */
  async restore({ id, path }: TrashedFile): Promise<boolean> {
    const isThere = (await this.stampOf(id)) !== undefined;
    const trashed = isThere ? await openExisting(path) : undefined;
    if (trashed !== undefined) {
      // Older lines first: the newer lines may refer to their turns.
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

  /** Returns the last removed conversation with this ID. */
  async #newestTrashed(id: string): Promise<TrashedFile | undefined> {
    const files = (await this.#listTrash()).filter((file) => file.id === id);
    return files.toSorted((one, other) => other.at - one.at)[0];
  }

  /** Deletes the chosen files from the trash. */
  async purge(choose: (trashed: readonly TrashedFile[]) => Promise<readonly TrashedFile[]>): Promise<void> {
    const old = await choose(await this.#listTrash());
    for (const { path } of old) await unlink(path).catch(ignoreMissing);
  }

  /** Opens the file, in the trash if necessary. Resolves to undefined if the file does not exist. */
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

/** Whether the ID is a lowercase UUID, and therefore safe as a file name. */
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

/** By file name: how many milliseconds each file had been in the trash at the last check. */
const agesSchema = v.object({ lookedAt: v.number(), ages: v.record(v.string(), v.number()) });

/** One check of the trash. */
interface TrashLook {
  /** The parent folder of the trash. */
  readonly folder: string;
  /** Unique for each check. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the files that have been in the trash for `milliseconds`, both at this check and at the last one. The last
 * check must be on another day, so a single wrong clock deletes nothing. `trash.json` stores the ages between checks.
 * @throws a system error if the ages cannot be written
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

/** Returns no ages if the file is unreadable. Collecting ages then starts again. */
async function readAges(path: string): Promise<v.InferOutput<typeof agesSchema>> {
  const parsed = v.safeParse(agesSchema, parseJson(await readFile(path, "utf8").catch(() => "")));
  return parsed.success ? parsed.output : { lookedAt: 0, ages: {} };
}
