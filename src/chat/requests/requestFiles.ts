import { appendFile, type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { CallRecord } from "../../client/request/call.ts";
import { wholeStart } from "../../text/cutText.ts";
import { isErrorCode, makeOwnFolder } from "../../files/diskFiles.ts";
import { forEachAtOnce } from "../../files/concurrency.ts";
import { type Asker, maxNameLength, recordSchema, type RequestRecord } from "./requestRecord.ts";

/** Days that a request is kept. */
const daysKept = 30;
const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Maximum number of requests that are read. The newest are read first. */
export const maxRecords = 10_000;
/** Maximum bytes that are read of one file. Of a longer file the end is read, which is the newest. */
const maxFileBytes = 4 * 1024 * 1024;
/** Maximum number of files that are read: some windows a day for thirty days. */
const maxFiles = 1000;

/** One file per window and day of the requests: `2026-01-31-<UUID>.jsonl`, with the day in UTC. */
const fileName = /^(\d{4}-\d{2}-\d{2})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

interface RequestFilesOptions {
  /** Created with the first request. */
  readonly folder: string;
  /** A UUID that no other window has. */
  readonly window: string;
  readonly now: () => Date;
}

/** The requests that were read, newest first. */
export interface StoredRequests {
  readonly records: readonly RequestRecord[];
  /** Whether there are more than were read. */
  readonly isCut: boolean;
  /** Number of whole lines that are no valid records, such as those of a later version. */
  readonly skipped: number;
}

/**
 * The requests of the last thirty days, one line per request. Each window appends to files of its own, so no lock is
 * needed. Only the owner can read the files.
 */
export class RequestFiles {
  readonly #options: RequestFilesOptions;
  #writing: Promise<void> = Promise.resolve();
  /** The first day to keep at the last cleaning. */
  #cleanedTo = "";
  /** Whether a write has failed, which may have left half a line. */
  #isTorn = false;

  constructor(options: RequestFilesOptions) {
    this.#options = options;
  }

  /** Appends a request. Never throws: a record that can't be written is lost, which must not fail an answer. */
  add(record: RequestRecord): void {
    this.#writing = this.#writing.then(() => this.#append(record)).catch(() => void (this.#isTorn = true));
  }

  /** Resolves when all requests so far are written or lost. */
  written(): Promise<void> {
    return this.#writing;
  }

  /** Deletes the files that are older than thirty days, once a day. Never rejects. */
  async clean(): Promise<void> {
    const first = this.#firstTime().toISOString().slice(0, 10);
    if (this.#cleanedTo === first) return;
    this.#cleanedTo = first;
    const old = (await this.#names().catch(() => [])).filter((name) => name.slice(0, 10) < first);
    await forEachAtOnce(8, old, (name) => this.#remove(name).catch(() => undefined));
  }

  /**
   * Reads the requests of all windows. Skips lines and files that can't be read.
   * @throws Error of the system if the folder can't be listed
   */
  async read(): Promise<StoredRequests> {
    await this.written();
    await this.clean();
    const first = this.#firstTime().toISOString();
    const names = (await this.#names()).toSorted().toReversed();
    const records: RequestRecord[] = [];
    let day = "";
    let skipped = 0;
    let isCut = names.length > maxFiles;
    for (const name of names.slice(0, maxFiles)) {
      // Windows share a day, so finish the day before stopping.
      if (records.length >= maxRecords && !name.startsWith(day)) {
        isCut = true;
        break;
      }
      day = name.slice(0, 10);
      const { text, isWhole } = await readEnd(join(this.#options.folder, name));
      isCut ||= !isWhole;
      // The first line of a cut file is only the end of one.
      for (const line of text.split("\n").slice(isWhole ? 0 : 1)) {
        if (line === "") continue;
        const record = readRecordLine(line);
        if (record === "unknown") skipped += 1;
        else if (record !== "broken" && record.at >= first) records.push(record);
      }
    }
    records.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    return { records: records.slice(0, maxRecords), isCut: isCut || records.length > maxRecords, skipped };
  }

  /**
   * Deletes the requests of all windows.
   * @throws Error of the system if a file can't be deleted
   */
  async deleteAll(): Promise<void> {
    await this.written();
    for (const name of await this.#names()) await this.#remove(name);
  }

  async #append(record: RequestRecord): Promise<void> {
    const { folder, window } = this.#options;
    await makeOwnFolder(folder);
    await this.clean();
    const start = this.#isTorn ? "\n" : "";
    const path = join(folder, `${record.at.slice(0, 10)}-${window}.jsonl`);
    await appendFile(path, `${start}${JSON.stringify(record)}\n`, { mode: 0o600 });
    this.#isTorn = false;
  }

  /** The names of the files. Empty if there is no folder. */
  async #names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#options.folder)).filter((name) => fileName.test(name));
    } catch (error) {
      if (isErrorCode(error, "ENOENT")) return [];
      throw error;
    }
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#options.folder, name), { force: true });
  }

  #firstTime(): Date {
    return new Date(this.#options.now().getTime() - daysKept * millisecondsPerDay);
  }
}

/** Reads the end of a file. A file that can't be read is empty. The first line may be cut. */
async function readEnd(path: string): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, maxFileBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString("utf8", 0, bytesRead), isWhole: size <= maxFileBytes };
  } catch {
    return { text: "", isWhole: true };
  } finally {
    await file?.close();
  }
}

interface RequestFacts {
  readonly asker: Asker;
  readonly connection: string;
  /** Undefined if the settings have none for the model. */
  readonly price: RequestRecord["price"];
  /** Removes the request's key from a name that the user chose. */
  readonly clean: (name: string) => string;
}

/** Returns what is stored of a request that has ended. A list of models is named as such, whatever asked for it. */
export function recordOf(call: CallRecord, { asker, connection, price, clean }: RequestFacts): RequestRecord {
  const { at, method, status, cause, isUnconnected, requestId, model, clientStyle } = call;
  const { usage, milliseconds, firstTokenMs } = call;
  const inputTokens = countOf(usage?.inputTokens);
  const cachedTokens = countOf(usage?.cacheReadTokens);
  const outputTokens = cause === undefined ? countOf(usage?.outputTokens) : undefined;
  const firstToken = countOf(firstTokenMs);
  const store = (text: string): string => wholeStart(clean(text), maxNameLength);
  const isList = method === "GET" && asker.kind !== "check";
  return {
    at: at.toISOString(),
    asker: isList ? { kind: "model-list" } : asker,
    connection: store(connection),
    ...(model === undefined || model === "" ? {} : { model: store(model) }),
    ...(clientStyle === undefined ? {} : { clientStyle }),
    ...(status === undefined ? {} : { status }),
    ...(cause === undefined ? {} : { cause }),
    ...(isUnconnected === undefined ? {} : { isUnconnected }),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(price === undefined || model === undefined ? {} : { price }),
    ...(firstToken === undefined ? {} : { firstTokenMs: firstToken }),
    milliseconds: countOf(milliseconds) ?? 0,
    ...(requestId === undefined || requestId === ""
      ? {}
      : { requestId: wholeStart(requestId, maxNameLength) }),
  };
}

/** Returns the nearest number that a record may contain. Some services count in fractions. */
function countOf(count: number | undefined): number | undefined {
  if (count === undefined || Number.isNaN(count)) return undefined;
  return Math.round(Math.min(Math.max(count, 0), Number.MAX_SAFE_INTEGER));
}

/** Returns the record of a line; `unknown` if the line is a whole object of another kind. */
function readRecordLine(line: string): RequestRecord | "unknown" | "broken" {
  try {
    const parsed = v.safeParse(recordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : "unknown";
  } catch {
    return "broken";
  }
}
