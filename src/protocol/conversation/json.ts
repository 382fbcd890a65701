/**
 * Typed reads of parsed JSON, which are fast enough to run per token, unlike a schema. Each returns the value only if
 * it has the requested type, and never throws.
 */

/** A JSON object with unknown members. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the member if it is an object. */
export function readFields(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isFields(value) ? value : undefined;
}

/** Returns the member if it is an array. */
export function readList(fields: Fields, name: string): readonly unknown[] | undefined {
  const value = fields[name];
  return Array.isArray(value) ? value : undefined;
}

/** Returns the member if it is a non-empty string. */
export function readString(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Returns the member if it is a number from 0 to MAX_SAFE_INTEGER. Larger ones may have lost precision (RFC 8259,
 * section 6).
 */
export function readCount(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** Parses JSON; returns undefined if the text is not JSON (JSON has no `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum levels of objects and lists in content that is kept and sent back. `JSON.stringify` fails at some 8,000. */
export const maxNesting = 100;

/** Whether a parsed value has more levels of objects and lists than `maxNesting`. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < maxNesting && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isNest));
  }
  return level.length > 0;
}

function isNest(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Splits a text of consecutive JSON objects. Returns undefined if the text contains anything else. */
export function splitObjects(text: string): readonly Fields[] | undefined {
  const objects: Fields[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const end = objectLength(rest);
    const value = parseJson(rest.slice(0, end));
    if (!isFields(value)) return undefined;
    objects.push(value);
    rest = rest.slice(end).trimStart();
  }
  return objects;
}

/** Returns the length of the JSON object at the start of the text; 0 if there is no complete object. */
export function objectLength(text: string): number {
  if (!text.startsWith("{")) return 0;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === "{") depth += 1;
    if (token !== "}") continue;
    depth -= 1;
    if (depth === 0) return index + 1;
  }
  return 0;
}

/** Matches an escaped lone surrogate. Also matches an escaped backslash, because a `u` after it begins no escape. */
const backslashOrHalf = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** Encodes a value as JSON to send. Replaces lone surrogates by U+FFFD, because many services reject their escapes. */
export function encodeJson(value: object): string {
  const json = JSON.stringify(value);
  return json.replaceAll(backslashOrHalf, (found) => (found.length === 2 ? found : "\ufffd"));
}
