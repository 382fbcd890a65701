import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createRandom } from "./random.ts";

const filesInFolder = 100;
const adjectives = "bounded pending shared sealed plain quiet nested hidden stale ready".split(" ");
const nouns = "Reader Session Client Report Window Record Header Answer Buffer Stream".split(" ");
const endings = ["ts", "ts", "tsx", "test.ts", "py", "md", "json", "css"];

/** Fills a folder with `count` empty files that have realistic names. Returns the names in order. */
export async function writeSampleFiles(folder: string, count: number): Promise<readonly string[]> {
  const random = createRandom(23);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const names: string[] = [];
  for (let begun = 0; begun < count; begun += filesInFolder) {
    const own = Array.from({ length: Math.min(filesInFolder, count - begun) }, (_, index) => {
      return `${pick(adjectives)}${pick(nouns)}${begun + index}.${pick(endings)}`;
    });
    const number = begun / filesInFolder;
    const place = path.join(folder, `part${Math.floor(number / 50)}`, `${pick(adjectives)}-${number}`, "src");
    await mkdir(place, { recursive: true });
    await Promise.all(own.map((name) => writeFile(path.join(place, name), "")));
    names.push(...own);
  }
  return names;
}
