import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";

/** Where documents lie, and of them the pages that failures lead to. */
const root = "docs";
const causes = "causes";

const link = /\]\(([^)\s:#]+\.md)/g;

/**
 * The pages about causes of failure and all that they lead to, by their paths below docs/. A link out of docs/ would
 * lead nowhere in the editor.
 * @throws Error where there is such a link, or what a page leads to is missing
 */
export async function shippedDocuments(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(path.join(folder, root, causes))).sort();
  const found = new Map<string, string>(names.map((name) => [`${causes}/${name}`, ""]));
  for (const name of found.keys()) {
    const text = await readFile(path.join(folder, root, name), "utf8");
    found.set(name, text);
    for (const [, target = ""] of text.matchAll(link)) {
      const next = path.posix.join(path.posix.dirname(name), target);
      if (next.startsWith("..")) throw new Error(`docs/${name} ships, and leads out of docs/: ${target}`);
      if (!found.has(next)) found.set(next, "");
    }
  }
  return Object.fromEntries(found);
}

/** As the package holds them: together they compress better than each alone. */
export function packDocuments(documents: Readonly<Record<string, string>>): Buffer {
  return brotliCompressSync(JSON.stringify(documents));
}
