import { findFileReferences, readFileReference } from "./fileReference.ts";

/** What stands behind the mark of a fence. */
export interface FenceInfo {
  /** Empty where none is named. */
  readonly language: string;
  /** The file that the block says it is about. */
  readonly path?: string;
}

/** More of it is read by nobody. */
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

/** A block of code in an answer, with what tells its language and its file. */
export interface CodeBlockText {
  readonly text: string;
  /** What stands behind the fence's mark, and the language in it. */
  readonly info: string;
  readonly language: string;
  /** The end of the text above the block: it may name the file. */
  readonly above: string;
}

const title = /(?:^|\s)(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'}]+))/i;
/** `ts:src/a.ts`, `12:20:src/a.ts` or `src/a.ts` in the place of the language. */
const pathFirst = /^(?:[a-z+#-]+:|\d+:\d+:)?([^\s:"'{}]*[^\s:"'{}/\\]\.[a-z0-9]{1,8})(?:\s|$)/i;
/**
 * A comment that is nothing but a path, maybe behind `File:`. Its parts bring their blanks along: of blanks beside blanks
 * there would be as many ways to share them as a hostile line needs.
 */
const comment =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|"""|')\s*(?:(?:file(?:name)?|path)\s*)?(?::\s*)?(\S+?)(?:\s*(?:\*\/|-->|"""))?\s*$/i;

/**
 * The files that a code block says it is about, the surest first: in its fence, in a comment on its
 * first line, in the sentence above (its last words first).
 */
export function namedFiles({ info, text, above }: CodeBlockText): string[] {
  const names = [fileInFence(info), fileInComment(text), ...[...findFileReferences(above)].toReversed()];
  const paths = names.map((name) => (name === undefined ? undefined : readFileReference(name)?.path));
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** The path in `ts title="src/a.ts"`, `ts:src/a.ts` or `src/a.ts`. */
function fileInFence(info: string): string | undefined {
  const named = title
    .exec(info)
    ?.slice(1)
    .find((value) => value !== undefined);
  return named ?? pathFirst.exec(info)?.[1];
}

/** True where the block's first line only says which file it is. */
export function fileInComment(text: string): string | undefined {
  const [line = ""] = text.split("\n", 1);
  const named = line.startsWith("#!") || line.length > 400 ? undefined : comment.exec(line)?.[1];
  return named !== undefined && readFileReference(named) !== undefined ? named : undefined;
}
