import { fileInFence } from "./namedFiles.ts";

/** What stands behind the mark of a fence. */
export interface FenceInfo {
  /** Empty where none is named. */
  readonly language: string;
  /** The file that the block says it is about. */
  readonly path?: string;
}

/** More of it is read by nobody. */
const longestInfo = 1000;

/** Reads `ts`, `ts title="src/a.ts"`, `ts:src/a.ts` or `src/a.ts`. */
export function readFenceInfo(info: string): FenceInfo {
  const known = info.slice(0, longestInfo);
  const first = /^\S*/.exec(known)?.[0] ?? "";
  const path = fileInFence(known);
  return path === undefined ? { language: languageIn(first) } : { language: languageIn(first, path), path };
}

function languageIn(first: string, path?: string): string {
  const word = first.replace(/^\{?\.?/, "").replace(/[{,;}:=].*$/, "");
  const isPath = path !== undefined && (first === path || /^\d*$/.test(word));
  return isPath ? (/[^.]*$/.exec(path)?.[0] ?? "") : word;
}
