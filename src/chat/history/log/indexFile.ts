import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";
import { compareByTime, type ConversationSummary, summarySchema } from "./conversationSummary.ts";
import type { FileStamp } from "../../../files/fileStamps.ts";
import { replaceFile } from "../../../files/replaceFile.ts";

/** Another version's file is not read but made anew. */
const head = JSON.stringify({ version: 2 });
/** What is read in one go, so that the process can do something else between. */
const linesAtOnce = 250;
/** Bytes of an entry, mostly about 400. */
const longestUsual = 1024;

const entrySchema = v.object({ size: v.number(), mtimeMs: v.number(), summary: summarySchema });

/** A summary with the stamp of the file it was taken from. */
export interface IndexedConversation extends FileStamp {
  readonly summary: ConversationSummary;
}

/** The pinned ones first, then the newest first, and no more of them than this. */
export function firstOf(
  conversations: readonly IndexedConversation[],
  most: number,
): readonly IndexedConversation[] {
  const pinned = conversations.filter(({ summary }) => summary.pinned);
  const others = conversations.filter(({ summary }) => !summary.pinned);
  return [...pinned, ...others].slice(0, most);
}

/** `index.jsonl`: a line with the version, then an entry a line, in the order of the list. */
export class IndexFile {
  readonly #path: string;
  readonly #temporaryPath: string;

  /** @param writer unlike that of any other store on this folder */
  constructor(folder: string, writer: string) {
    this.#path = join(folder, "index.jsonl");
    this.#temporaryPath = join(folder, `index.${writer}.tmp`);
  }

  /** All entries that can be read; none where there is no file of this version. */
  async read(): Promise<readonly IndexedConversation[]> {
    const lines = linesOf(await readFile(this.#path, "utf8").catch(() => ""));
    const entries: IndexedConversation[] = [];
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      if (start > 0) await nextTurn();
      entries.push(...readEntries(lines.slice(start, start + linesAtOnce)));
    }
    return entries;
  }

  /** The first entries, by the beginning of the file alone; mostly so many. */
  async readFirst(most: number): Promise<readonly IndexedConversation[]> {
    return readEntries(linesOf(await this.#readStart(most * longestUsual)).slice(0, most));
  }

  /** @throws Error of the system */
  async write(entries: Iterable<IndexedConversation>): Promise<void> {
    const sorted = [...entries].sort((one, other) => compareByTime(one.summary, other.summary));
    const lines = firstOf(sorted, sorted.length).map((entry) => JSON.stringify(entry));
    await replaceFile(this.#path, this.#temporaryPath, `${[head, ...lines].join("\n")}\n`);
  }

  async #readStart(length: number): Promise<string> {
    const handle = await open(this.#path).catch(() => undefined);
    if (handle === undefined) return "";
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } catch {
      return "";
    } finally {
      await handle.close();
    }
  }
}

/** The last line is cut off where it has no end. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines[0] === head ? lines.slice(1, -1) : [];
}

function readEntries(lines: readonly string[]): readonly IndexedConversation[] {
  return lines.flatMap((line) => {
    const entry = v.safeParse(entrySchema, parseJson(line));
    return entry.success ? [entry.output] : [];
  });
}
