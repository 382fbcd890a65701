import fc from "fast-check";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

function text(alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength, maxLength })
    .map((characters) => characters.join(""))
    .filter((word) => /\d/.test(word) && /[a-z]/i.test(word) && new Set(word).size > 5);
}

const hex = (length: number): fc.Arbitrary<string> => text("0123456789abcdef", length);
const joined = (between: string, ...pieces: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...pieces).map((words) => words.join(between));

/** Keys that are recognizable by their form in any text. Generated at run time; no real keys. */
export const tellingKeys: fc.Arbitrary<string> = fc.oneof(
  joined("", fc.constantFrom("sk-", "sk-proj-", "gsk_", "hf_", "sk-or-v1-"), text(letters + digits, 20, 48)),
  joined(
    ".",
    text(letters + digits, 12).map((head) => `eyJ${head}`),
    text(letters + digits, 40),
    text(letters + digits, 43),
  ),
  hex(32),
  hex(40),
  hex(64),
  hex(20).map((word) => `${word.slice(0, 8)}-4a1b-9c2d-8e3f-${word.slice(8)}`),
);

/** Keys of letters and digits only. */
export const plainKeys: fc.Arbitrary<string> = fc.oneof(
  text(letters + digits, 16),
  text(letters + digits, 24),
);

/** Keys in any form that a service may issue, down to 16 characters without a prefix. */
export const anyKeys: fc.Arbitrary<string> = fc.oneof(
  tellingKeys,
  plainKeys,
  text(`${letters + digits}+/=_.-`, 20, 44),
  fc
    .string({
      unit: fc.constantFrom(...Array.from(`${letters + digits}!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`)),
      minLength: 16,
      maxLength: 40,
    })
    .filter((word) => new Set(word).size > 5),
);

/** Ways in which a server may encode or wrap a key that it repeats. */
export const plantings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => key,
  "in a sentence": (key) => `Incorrect API key provided: ${key}. See the docs.`,
  "in quotes": (key) => `got '${key}' here`,
  "as a header": (key) => `Authorization: Bearer ${key}`,
  "in capitals": (key) => `AUTHORIZATION: BEARER ${key.toUpperCase()}`,
  "in JSON": (key) => `body was ${JSON.stringify({ key })}`,
  "in JSON in JSON": (key) => JSON.stringify(JSON.stringify({ key })),
  "in an address": (key) => `POST https://h.example/v1?api=${key}&x=1`,
  "encoded for an address": (key) => `key=${encodeURIComponent(key)}`,
  "every character encoded": (key) =>
    Array.from(key)
      .map((each) => `%${each.charCodeAt(0).toString(16)}`)
      .join(""),
  "escaped for a page": (key) =>
    Array.from(key)
      .map((each) => `&#${each.charCodeAt(0)};`)
      .join(""),
  "escaped for Unicode": (key) =>
    Array.from(key)
      .map((each) => `\\u00${each.charCodeAt(0).toString(16)}`)
      .join(""),
  "broken by line ends": (key) => key.replaceAll(/.{7}/g, "$&\n  "),
  "broken by soft hyphens": (key) => Array.from(key).join("\u00ad"),
  "broken by zero width": (key) => key.replaceAll(/.{5}/g, "$&\u200b"),
  "wrapped in a page": (key) => key.replaceAll(/.{9}/g, "$&<wbr>"),
  "in base64": (key) => Buffer.from(key).toString("base64"),
  "in base64, with its scheme": (key) => Buffer.from(`Bearer ${key}`).toString("base64"),
  "in base64 for addresses": (key) => Buffer.from(`me:${key}:x`).toString("base64url"),
};

function small(word: string): string {
  return word.toLowerCase().replaceAll(/[\s\u00ad\u200b]|<wbr>|\\n/g, "");
}

/**
 * Whether a text reveals a key: verbatim, in another case or encoding, or with white space, invisible characters, or
 * `<wbr>` in between.
 * Deliberately independent of the product's own search.
 */
export function givesAway(shown: string, key: string): boolean {
  const decoded = shown
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\u00([0-9a-f]{2})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  const readable = [shown, decoded, decoded.replaceAll("\\", "")];
  const encoded = [...decoded.matchAll(/[\w+/-]{16,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64").toString("latin1")),
  );
  return [...readable, ...encoded].some((word) =>
    [key, key.replaceAll("\\", "")].some((each) => small(word).includes(small(each))),
  );
}

/** Every string in a value at any depth, including property names. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}
