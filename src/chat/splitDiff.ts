import { diffTextEnd } from "./diffGrammar.ts";

/** What a diff says of one file. */
export interface FileDiff {
  /** All that its head may name, relative to the repository, the likeliest first; none where it is not git's own. */
  readonly paths: readonly string[];
  readonly text: string;
}

/** Where git begins to speak of another file. */
const beginning = /^(?=diff --(?:git|cc|combined) |\* Unmerged path |Submodule )/m;
// oxlint-disable-next-line no-control-regex -- colours are made of it
const colors = /\u001B\[[\d;]*[mK]/g;

/**
 * Cuts a git diff into its files, whatever prefixes, quotes and colours the user's settings give to it. What another
 * program wrote in git's place, of whichever files, is a piece without paths.
 */
export function splitDiff(diff: string): readonly FileDiff[] {
  return diff.replaceAll(colors, "").split(beginning).flatMap(cutAtEnd);
}

/** Behind what git says of a file there may be what another program says of the next one. */
function cutAtEnd(text: string): readonly FileDiff[] {
  const end = diffTextEnd(text);
  const own = text.slice(0, end);
  return [
    { paths: pathsOf(own), text: own },
    { paths: [], text: text.slice(end) },
  ].filter((piece) => piece.text.trim() !== "");
}

/** Taken from the head only: a line of the text may look like any of these. */
function pathsOf(text: string): readonly string[] {
  const head = text.split(/^@@/m, 1)[0] ?? "";
  const named = [...head.matchAll(/^(?:---|\+\+\+|(?:rename|copy) (?:from|to)) (.+?)[\t\r]*$/gm)].map(
    ([, path = ""]) => path,
  );
  const paths = [...named, ...firstLinePaths(head.split("\n", 1)[0] ?? "")]
    .filter((path) => path !== "/dev/null")
    .map(unquote)
    .flatMap(withoutPrefix);
  return [...new Set(paths)];
}

/** Two paths that differ only in their prefix stand around the line's middle; others are named below it. */
function firstLinePaths(line: string): readonly string[] {
  const only =
    /^(?:diff --(?:cc|combined)|\* Unmerged path) (.+)$|^Submodule (.+?) (?:[\da-f]{7,}\.|contains )/.exec(
      line,
    );
  if (only !== null) return [only[1] ?? only[2] ?? ""];
  const rest = line.startsWith("diff --git ") ? line.slice("diff --git ".length) : "";
  const middle = (rest.length - 1) / 2;
  return rest[middle] === " " ? [rest.slice(0, middle), rest.slice(middle + 1)] : [];
}

/** `a/` and `b/`, or `i/`, `w/`, `c/`, `o/`; without a prefix it may be a folder's name. */
function withoutPrefix(path: string): readonly string[] {
  return /^[a-z]\//.test(path) ? [path.slice(2), path] : [path];
}

/** Quoted paths spell other bytes than ASCII in octal. */
function unquote(path: string): string {
  const inner = /^"(.*)"$/s.exec(path)?.[1];
  if (inner === undefined) return path;
  const bytes = inner.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  const plain = bytes.replaceAll(/\\(["\\])/g, "$1");
  // oxlint-disable-next-line no-control-regex -- only what was spelled as bytes is read as bytes
  return /^[\u0000-\u00ff]*$/.test(plain)
    ? new TextDecoder().decode(Uint8Array.from(plain, (character) => character.charCodeAt(0)))
    : plain;
}
