import { showInvisible } from "../invisibleCharacters.ts";

/** A location in a file, as an answer names it. */
export interface FileReference {
  /** Relative or absolute as in the answer, with `/` as the separator. */
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

const maxReferenceLength = 400;
const place =
  /^(?<path>.+?)(?:#L?(?<hash>\d{1,7})(?:C(?<hashColumn>\d{1,5}))?(?:-L?\d+(?:C\d+)?)?|:(?<line>\d{1,7})(?::(?<column>\d{1,5}))?(?:-\d+)?|\((?<at>\d{1,7})(?:,\s?(?<atColumn>\d{1,5}))?\))?$/;
/**
 * Matches the path of a file with an extension, a leading dot, or a known name such as `Makefile`. Allows a colon only
 * after a drive letter.
 */
const path =
  /^(?:[a-z]:[\\/])?[^<>:"|?*\p{Cc}#]*[^<>:"|?*\p{Cc}#\\/\s.]\.(?=[\d_-]*[a-z])[a-z0-9_-]{1,12}$|^(?:[^<>:"|?*\p{Cc}#]*[\\/])?(?:Dockerfile|Makefile|LICENSE|\.[a-z][a-z0-9_.-]*)$/iu;

/**
 * Reads `src/a.ts`, `src/a.ts:10:5`, `src/a.ts#L10-L20`, `a.ts(10,5)` or `C:\a\b.ts:3`. Returns undefined for other
 * text.
 */
export function readFileReference(text: string): FileReference | undefined {
  if (text.length > maxReferenceLength || showInvisible(text) !== text) return undefined;
  const groups = place.exec(text)?.groups;
  const named = groups?.["path"] ?? "";
  if (groups === undefined || !path.test(named)) return undefined;
  const line = Number(groups["hash"] ?? groups["line"] ?? groups["at"] ?? 0);
  const column = Number(groups["hashColumn"] ?? groups["column"] ?? groups["atColumn"] ?? 0);
  return {
    path: named.replaceAll("\\", "/"),
    ...(line > 0 ? { line } : {}),
    ...(column > 0 ? { column } : {}),
  };
}

/** Finds file references in prose: in backticks, or with an extension. Folders and lines are optional. */
export function* findFileReferences(text: string): Generator<string> {
  const pattern =
    /`([^`\n]{1,400})`|(?<![\w/\\.@:-])((?:[a-z]:[\\/])?[\w@.-]+(?:[\\/][\w@.-]+)*\.[a-z0-9]{1,8}(?::\d+(?::\d+)?)?)(?![\w/\\])/gi;
  for (const [, quoted, plain] of text.matchAll(pattern)) {
    const reference = quoted?.trim() ?? plain ?? "";
    if (readFileReference(reference) !== undefined) yield reference;
  }
}
