/**
 * Structural reads over parsed JSON. They stand in for a schema where one would be run per token:
 * each returns the value only when it has the type asked for, and never throws.
 */

/** A JSON object whose members are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member as an object. */
export function readFields(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isFields(value) ? value : undefined;
}

/** The member as an array. */
export function readList(fields: Fields, name: string): readonly unknown[] | undefined {
  const value = fields[name];
  return Array.isArray(value) ? value : undefined;
}

/** The member as a string that is not empty. */
export function readString(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The member as a number that is not negative, nor so large that it may be another than was sent (RFC 8259, section 6). */
export function readCount(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** The value of the JSON text, or undefined where it is not JSON (JSON has no `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The whole objects that a text consists of, one behind the other; undefined where there is anything else. */
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

/** Characters of the JSON object that the text begins with; 0 where it begins with none, or the object does not end. */
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

/** A backslash that is text, lest it be taken for the beginning of the escape behind it; or half of a character. */
const backslashOrHalf = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * What is sent, as JSON. Half of a character, which JSON can only write as an escape that many services refuse,
 * becomes U+FFFD.
 */
export function encodeJson(value: object): string {
  const json = JSON.stringify(value);
  return json.replaceAll(backslashOrHalf, (found) => (found.length === 2 ? found : "\ufffd"));
}
