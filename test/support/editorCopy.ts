import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import type { CodeServer } from "./codeServer.ts";

/** One file of the editor, and what is made of its text. */
export interface EditorChange {
  /** Of VS Code, from its own root. */
  readonly file: string;
  /** What is replaced, all with the flag `g`; each has to be found once, since another release may be made otherwise. */
  readonly replaced: readonly (readonly [pattern: RegExp, replacement: string])[];
}

export interface EditorCopy extends CodeServer, AsyncDisposable {}

/**
 * The same editor but for a file: a copy by hard links, of which the one file is another. It stands beside the
 * original, since links do not leave a disk.
 */
export async function copyEditor(
  codeServer: CodeServer,
  name: string,
  change: EditorChange,
): Promise<EditorCopy> {
  const original = path.resolve(codeServer.serverMain, "..", "..");
  const root = await mkdtemp(path.join(path.dirname(original), `${name}-`));
  const dispose = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const copy = path.join(root, "vscode");
    await linkFolder(original, copy);
    const changed = changedText(await readFile(path.join(original, change.file), "utf8"), change);
    await unlink(path.join(copy, change.file));
    await writeFile(path.join(copy, change.file), changed);
    const serverMain = path.join(copy, path.relative(original, codeServer.serverMain));
    return { ...codeServer, serverMain, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function changedText(source: string, { file, replaced }: EditorChange): string {
  return replaced.reduce((text, [pattern, replacement]) => {
    if ([...text.matchAll(pattern)].length !== 1)
      throw new Error(`The editor's ${file} is not made as expected: ${pattern.source}`);
    return text.replace(pattern, replacement);
  }, source);
}

async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await linkFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target);
  }
}
