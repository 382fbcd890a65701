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

/** A file of the editor, and how to change its text. */
export interface EditorChange {
  /** Path from the root of VS Code. */
  readonly file: string;
  /** Throws if the text is not as expected: it may differ in another release. */
  readonly change: (text: string) => string;
}

export interface EditorCopy extends CodeServer, AsyncDisposable {}

/**
 * Copies the editor by hard links, and changes some files. The copy is beside the original, because hard links can't
 * cross disks.
 */
export async function copyEditor(
  codeServer: CodeServer,
  name: string,
  changes: readonly EditorChange[],
): Promise<EditorCopy> {
  const original = path.resolve(codeServer.serverMain, "..", "..");
  const root = await mkdtemp(path.join(path.dirname(original), `${name}-`));
  const dispose = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const copy = path.join(root, "vscode");
    await copyWithChanges(original, copy, changes);
    const serverMain = path.join(copy, path.relative(original, codeServer.serverMain));
    return { ...codeServer, serverMain, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** @param copy a folder that does not exist yet, on the same disk */
export async function copyWithChanges(
  original: string,
  copy: string,
  changes: readonly EditorChange[],
): Promise<void> {
  await linkFolder(original, copy);
  for (const { file, change } of changes) {
    const changed = change(await readFile(path.join(original, file), "utf8"));
    await unlink(path.join(copy, file));
    await writeFile(path.join(copy, file), changed);
  }
}

/**
 * Replaces a text that must occur exactly once.
 * @param pattern with the flag `g`
 * @throws Error if the text does not occur, or more than once
 */
export function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if ([...text.matchAll(pattern)].length !== 1)
    throw new Error(`The editor's file must match exactly once: ${pattern.source}`);
  return text.replace(pattern, replacement);
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
