import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../../protocol/conversation/json.ts";
import type { TrashedFile } from "./log/conversationFolder.ts";
import { replaceFile } from "../../files/replaceFile.ts";

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
