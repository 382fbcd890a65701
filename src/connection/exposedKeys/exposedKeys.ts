import type { ApiKey } from "../../client/key/apiKey.ts";
import type { KeyRange } from "../../client/key/keyText.ts";

/**
 * A key to search for, with its connection and the environment variable that should replace it. Also the secret value
 * of a further header.
 */
export interface SearchedKey {
  readonly connectionName: string;
  readonly variable: string;
  readonly key: ApiKey;
  /** Whether it is the value of a further header, not the key. */
  readonly isHeader?: true;
}

export interface ExposedKey extends KeyRange {
  readonly connectionName: string;
  readonly variable: string;
}

/**
 * Finds keys in a text. Returns UTF-16 offsets, sorted by start. Searches the text once per key. If keys overlap, the
 * one that starts first wins, then the longest. A key that several connections share counts for the first connection.
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

/** A text without keys, and the connections whose keys were removed. */
export interface CleanedText {
  readonly text: string;
  readonly connectionNames: readonly string[];
}

/**
 * Replaces each complete key with `[API key]`. For the user's texts and for answers: parts of a key stay.
 * `ApiKey.redactServiceText` cleans messages of the service.
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
  // The joined text cannot form another key across a mark, because no key contains the mark.
  return { text: clean + text.slice(end), connectionNames };
}

/** Converts ascending offsets to line and character, both from 0, in one pass. A line ends with CRLF, CR, or LF. */
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
