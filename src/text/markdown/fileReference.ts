import { showInvisible } from "../invisibleCharacters.ts";

/** A place in a file, as an answer names it. */
export interface FileReference {
  /** With `/` between its parts, as it was named: relative, or absolute. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

const maxReferenceLength = 400;
const place =
  /^(?<path>.+?)(?:#L?(?<hash>\d{1,7})(?:C(?<hashColumn>\d{1,5}))?(?:-L?\d+(?:C\d+)?)?|:(?<line>\d{1,7})(?::(?<column>\d{1,5}))?(?:-\d+)?|\((?<at>\d{1,7})(?:,\s?(?<atColumn>\d{1,5}))?\))?$/;
/** A file name with an ending; a drive is the only colon. */
const path =
  /^(?:[a-z]:[\\/])?[^<>:"|?*\p{Cc}#]*[^<>:"|?*\p{Cc}#\\/\s.]\.(?=[\d_-]*[a-z])[a-z0-9_-]{1,12}$|^(?:[^<>:"|?*\p{Cc}#]*[\\/])?(?:Dockerfile|Makefile|LICENSE|\.[a-z][a-z0-9_.-]*)$/iu;

/** Reads `src/a.ts`, `src/a.ts:10:5`, `src/a.ts#L10-L20`, `a.ts(10,5)` or `C:\a\b.ts:3`. */
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

/** Names of files in a sentence: with a folder or a line, or between backticks. */
export function* findFileReferences(text: string): Generator<string> {
  const pattern =
    /`([^`\n]{1,400})`|(?<![\w/\\.@:-])((?:[a-z]:[\\/])?[\w@.-]+(?:[\\/][\w@.-]+)*\.[a-z0-9]{1,8}(?::\d+(?::\d+)?)?)(?![\w/\\])/gi;
  for (const [, quoted, plain] of text.matchAll(pattern)) {
    const reference = quoted?.trim() ?? plain ?? "";
    if (readFileReference(reference) !== undefined) yield reference;
  }
}
