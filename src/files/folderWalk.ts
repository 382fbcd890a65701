import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { compileGlob } from "./globPattern.ts";
import { namesBelow } from "./plainPath.ts";

/** Number of folders to read at once. */
const atOnce = 16;

interface WalkOptions {
  /** Whether to skip a file, or a folder with its contents. `siblings` are all names in the same folder. */
  readonly isExcluded: (path: string, name: string, siblings: ReadonlySet<string>) => boolean;
  /** Whether to follow symbolic links to folders; each target is visited once. */
  readonly followLinks: boolean;
}

/** The files in a folder, unordered. */
export interface WalkedFolder {
  /** Path relative to the root of the walk, with `/`; empty for the root. */
  readonly path: string;
  /** Names, including symbolic links to files. */
  readonly files: readonly string[];
}

/** Yields a local folder and its subfolders, breadth first. Folders that cannot be read yield no files. */
export async function* walkFolder(
  root: string,
  options: WalkOptions,
): AsyncGenerator<WalkedFolder, void, undefined> {
  const links = new FollowedLinks(root);
  const ahead = [""];
  while (ahead.length > 0) {
    const next = ahead.splice(0, atOnce);
    const read = next.map((folder) => readFolder(root, folder, options, links));
    for (const { folders, ...walked } of await Promise.all(read)) {
      ahead.push(...folders);
      yield walked;
    }
  }
}

async function readFolder(
  root: string,
  folder: string,
  { isExcluded, followLinks }: WalkOptions,
  links: FollowedLinks,
): Promise<WalkedFolder & { readonly folders: readonly string[] }> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch((): Dirent[] => []);
  const siblings = new Set(entries.map(({ name }) => name));
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const below = folder === "" ? name : `${folder}/${name}`;
    if (isExcluded(below, name, siblings)) continue;
    const kind = entry.isSymbolicLink() ? await links.kindOf(path.join(root, below), followLinks) : entry;
    if (kind?.isFile() === true) files.push(name);
    else if (kind?.isDirectory() === true) folders.push(below);
  }
  return { path: folder, files, folders };
}

/** Targets of followed links. Each target is followed once, so that cycles end. */
class FollowedLinks {
  readonly #root: string;
  readonly #targets = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async kindOf(
    link: string,
    followLinks: boolean,
  ): Promise<Pick<Dirent, "isFile" | "isDirectory"> | undefined> {
    const kind = await stat(link).catch(() => undefined);
    if (kind?.isDirectory() !== true) return kind;
    if (!followLinks) return undefined;
    const places = [link, this.#root].map((each) => realpath(each).catch(() => undefined));
    const [target, root] = await Promise.all(places);
    if (target === undefined || root === undefined || namesBelow(target, root) !== undefined)
      return undefined;
    if (this.#targets.has(target)) return undefined;
    this.#targets.add(target);
    return kind;
  }
}

/** A glob from an exclude setting of VS Code. */
export interface ExcludePattern {
  readonly pattern: string;
  /**
   * Applies only if a file of this name is in the same folder. `$(basename)` stands for the tested name without
   * extension.
   */
  readonly when?: string;
}

/**
 * Compiles a test for whether a path is excluded, if its parent folders are not. Most patterns are one name or ending
 * and are compared without a glob. Testing every glob on every path of a workspace would be too slow.
 */
export function compileExcludes(
  patterns: readonly ExcludePattern[],
): (path: string, name: string, siblings: ReadonlySet<string>) => boolean {
  const names = new Set<string>();
  const endings: string[] = [];
  const others: { readonly matches: (path: string) => boolean; readonly when: string | undefined }[] = [];
  for (const { pattern, when } of patterns) {
    const [, star, literal] = /^\*\*\/(\*?)([^*?[\]{},/\\]+)\/?$/.exec(pattern) ?? [];
    if (literal !== undefined && when === undefined) {
      if (star === "") names.add(literal);
      else endings.push(literal);
      continue;
    }
    const matches = compileGlob(pattern);
    if (matches !== undefined) others.push({ matches, when });
  }
  return (below, name, siblings) =>
    names.has(name) ||
    endings.some((ending) => name.endsWith(ending)) ||
    others.some(
      ({ matches, when }) => matches(below) && (when === undefined || hasSibling(name, when, siblings)),
    );
}

function hasSibling(name: string, when: string, siblings: ReadonlySet<string>): boolean {
  const dot = name.lastIndexOf(".");
  const base = dot > 0 ? name.slice(0, dot) : name;
  return siblings.has(when.replaceAll("$(basename)", () => base));
}
