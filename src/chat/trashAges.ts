import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../protocol/fields.ts";
import type { TrashedFile } from "./conversationFolder.ts";
import { replaceFile } from "./replaceFile.ts";

/** For how many milliseconds each file was seen to lie in the trash, by its name. */
const agesSchema = v.object({
  lookedAt: v.number(),
  /** At that look the clock was behind the look before. */
  wasBehind: v.optional(v.boolean(), false),
  ages: v.record(v.string(), v.number()),
});

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
 * Of the files in the trash, those that have lain there for so many milliseconds. The clock may have been set since, so
 * that no time between two looks counts for more than half of it: ages are kept in `trash.json`, beside the trash.
 * @throws Error of the system where they cannot be kept
 */
export async function filesInTrashFor(
  milliseconds: number,
  trashed: readonly TrashedFile[],
  { folder, id, now }: TrashLook,
): Promise<readonly TrashedFile[]> {
  if (trashed.length === 0) return [];
  const path = join(folder, "trash.json");
  const { lookedAt, wasBehind, ages } = await readAges(path);
  const countedSince = (time: number): number => Math.min(Math.max(now - time, 0), milliseconds / 2);
  const aged = trashed.map((file) => {
    const known = ages[basename(file.path)];
    return { file, age: known === undefined ? countedSince(file.at) : known + countedSince(lookedAt) };
  });
  const counted = Object.fromEntries(aged.map(({ file, age }) => [basename(file.path), age]));
  // A clock that was behind once is not to make the next look count for more; twice in a row it is the one before
  // that was ahead.
  const isBehind = now < lookedAt && !wasBehind;
  const text = JSON.stringify({ lookedAt: isBehind ? lookedAt : now, wasBehind: isBehind, ages: counted });
  await replaceFile(path, join(folder, `trash.${id}.tmp`), text);
  return aged.filter(({ age }) => age >= milliseconds).map(({ file }) => file);
}

/** None where they cannot be read: then they begin anew. */
async function readAges(path: string): Promise<v.InferOutput<typeof agesSchema>> {
  const parsed = v.safeParse(agesSchema, parseJson(await readFile(path, "utf8").catch(() => "")));
  return parsed.success ? parsed.output : { lookedAt: 0, wasBehind: false, ages: {} };
}
