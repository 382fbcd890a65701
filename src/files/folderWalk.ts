import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { compileGlob } from "./globPattern.ts";

/** Folders that are read at once; the system reads no more in parallel anyway. */
const atOnce = 16;

interface WalkOptions {
  /** Whether something is left out, a folder with all that is in it. `siblings` are the names beside it. */
  readonly isExcluded: (path: string, name: string, siblings: ReadonlySet<string>) => boolean;
  /** Whether links of the file system to folders are followed; each place is followed to once. */
  readonly followLinks: boolean;
}

/** What a folder holds, in no order. */
export interface WalkedFolder {
  /** Relative to the folder that is walked, with `/`; empty for that itself. */
  readonly path: string;
  /** Names, also those of links that lead to files. */
  readonly files: readonly string[];
}

/** The folders below one of this machine, those near to it first. What cannot be read is left out. */
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

/** Where links lead: a place that was followed to once is not again, so that no circle is endless. */
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
    if (target === undefined || root === undefined || isWithin(root, target)) return undefined;
    if (this.#targets.has(target)) return undefined;
    this.#targets.add(target);
    return kind;
  }
}

/** Whether a path is in a folder, or is that. */
function isWithin(place: string, folder: string): boolean {
  const relative = path.relative(folder, place);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

/** One of the editor's excluding globs. */
export interface ExcludePattern {
  readonly pattern: string;
  /** Counts only beside a file of this name, in which `$(basename)` is the name without its ending. */
  readonly when?: string;
}

/**
 * A test for a path whose folders have passed it. Most patterns name one name or one ending, so those are
 * looked up: a workspace has more paths than each pattern can be tried on one by one.
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
