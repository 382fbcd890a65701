import type { ApiKey } from "../../client/key/apiKey.ts";
import type { KeyRange } from "../../client/key/keyText.ts";

/** A key to look for: whose it is, and the variable that should stand where it stands. */
export interface SearchedKey {
  readonly connectionName: string;
  readonly variable: string;
  readonly key: ApiKey;
}

/** A key that stands in a text. */
export interface ExposedKey extends KeyRange {
  readonly connectionName: string;
  readonly variable: string;
}

/**
 * The keys that stand in a text, by position, as offsets. One pass of the text per key. Where keys
 * overlap, the one that starts first and is the longest counts; a key of several connections is
 * told of the first.
 */
export function findExposedKeys(text: string, keys: readonly SearchedKey[]): readonly ExposedKey[] {
  const found = keys.flatMap(({ connectionName, variable, key }) =>
    key.wholeKeysIn(text).map((range) => ({ ...range, connectionName, variable })),
  );
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  let end = 0;
  return found.filter((each) => {
    if (each.start < end) return false;
    end = each.end;
    return true;
  });
}

/** What of a text may be sent, and whose keys were taken out of it. */
export interface CleanedText {
  readonly text: string;
  readonly connectionNames: readonly string[];
}

/**
 * The text with `[API key]` in the place of each whole key. For what the user wrote, and for answers: a piece of a key
 * stays. What a service says about itself is cleaned by `ApiKey.redactServiceText`.
 */
export function withoutExposedKeys(text: string, keys: readonly SearchedKey[]): CleanedText {
  const found = findExposedKeys(text, keys);
  let clean = "";
  let end = 0;
  for (const each of found) {
    clean += `${text.slice(end, each.start)}[API key]`;
    end = each.end;
  }
  const connectionNames = [...new Set(found.map(({ connectionName }) => connectionName))];
  // What is left around a mark could spell another key only if a key held the mark, which none does.
  return { text: clean + text.slice(end), connectionNames };
}

/** Line and character, both from 0, of ascending offsets; one pass. Lines end as editors count them. */
export function positionsOf(
  text: string,
  offsets: readonly number[],
): readonly { readonly line: number; readonly character: number }[] {
  const lineEnds = /\r\n|\r|\n/g;
  let line = 0;
  let lineStart = 0;
  let next = lineEnds.exec(text);
  return offsets.map((offset) => {
    while (next !== null && next.index + next[0].length <= offset) {
      line += 1;
      lineStart = next.index + next[0].length;
      next = lineEnds.exec(text);
    }
    return { line, character: offset - lineStart };
  });
}
