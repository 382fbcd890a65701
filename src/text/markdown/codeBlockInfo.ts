import { findFileReferences, readFileReference } from "./fileReference.ts";

/** The parts of the info string of a fence. */
export interface FenceInfo {
  /** Empty if the fence names no language. */
  readonly language: string;
  /** The path of the file that the fence names. */
  readonly path?: string;
}

/** Maximum length of an info string, in UTF-16 code units. The rest is ignored. */
const maxInfoLength = 1000;

/** Reads `ts`, `ts title="src/a.ts"`, `ts:src/a.ts` or `src/a.ts`. */
export function readFenceInfo(info: string): FenceInfo {
  const known = info.slice(0, maxInfoLength);
  const first = /^\S*/.exec(known)?.[0] ?? "";
  const path = fileInFence(known);
  return path === undefined ? { language: languageIn(first) } : { language: languageIn(first, path), path };
}

function languageIn(first: string, path?: string): string {
  const word = first.replace(/^\{?\.?/, "").replace(/[{,;}:=].*$/, "");
  const isPath = path !== undefined && (first === path || /^\d*$/.test(word));
  return isPath ? (/[^.]*$/.exec(path)?.[0] ?? "") : word;
}

/** A code block in an answer, with the texts that identify its language and file. */
export interface CodeBlockText {
  readonly text: string;
  /** The whole info string after the fence mark. */
  readonly info: string;
  readonly language: string;
  /** The end of the text above the block, which may name the file. */
  readonly above: string;
}

const title = /(?:^|\s)(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'}]+))/i;
/** Matches `ts:src/a.ts`, `12:20:src/a.ts` or `src/a.ts` in place of the language. */
const pathFirst = /^(?:[a-z+#-]+:|\d+:\d+:)?([^\s:"'{}]*[^\s:"'{}/\\]\.[a-z0-9]{1,8})(?:\s|$)/i;
/**
 * Matches a comment that holds only a path, optionally after a word such as `File:`. Each optional group includes its
 * own whitespace, because adjacent whitespace quantifiers would backtrack for very long on a hostile line.
 */
const comment =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|"""|')\s*(?:(?:file(?:name)?|path)\s*)?(?::\s*)?(\S+?)(?:\s*(?:\*\/|-->|"""))?\s*$/i;

/**
 * Returns the paths that belong to a code block, most reliable first. Sources: the fence, a comment on the first line,
 * the text above (its last names first).
 */
export function namedFiles({ info, text, above }: CodeBlockText): string[] {
  const names = [fileInFence(info), fileInComment(text), ...[...findFileReferences(above)].toReversed()];
  const paths = names.map((name) => (name === undefined ? undefined : readFileReference(name)?.path));
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** Returns the path in `ts title="src/a.ts"`, `ts:src/a.ts` or `src/a.ts`. */
function fileInFence(info: string): string | undefined {
  const named = title
    .exec(info)
    ?.slice(1)
    .find((value) => value !== undefined);
  return named ?? pathFirst.exec(info)?.[1];
}

/** Returns the path if the first line of the block is a comment that holds only a path. */
export function fileInComment(text: string): string | undefined {
  const [line = ""] = text.split("\n", 1);
  const named = line.startsWith("#!") || line.length > 400 ? undefined : comment.exec(line)?.[1];
  return named !== undefined && readFileReference(named) !== undefined ? named : undefined;
}
