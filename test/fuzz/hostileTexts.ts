import fc from "fast-check";

/** Member names that occur in errors and answers of services. */
const wireNames =
  `error message detail errors metadata raw code type status details param choices delta content
  text finish_reason usage data models id loc msg retryDelay retry_after x_groq`.split(/\s+/);
const namesOfObjects = ["__proto__", "constructor", "toString", "hasOwnProperty", "length"];

/**
 * Generates JSON as text, because no JavaScript value could produce all of it. The text may contain `__proto__`,
 * out-of-range numbers and lone surrogates.
 *
 * @param names member names
 * @param words JSON texts that the reader knows
 */
export function jsonTextsWith(names: readonly string[], words: readonly string[]): fc.Arbitrary<string> {
  const anyName = fc.constantFrom(...names, ...namesOfObjects);
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(
        "null",
        "true",
        "1e999",
        "-0",
        "12345678901234567890123",
        '"\\ud800"',
        '"\\u0000"',
        '""',
      ),
      fc.constantFrom(...words),
      fc.string().map((text) => JSON.stringify(text)),
      fc.integer({ min: 395, max: 605 }).map(String),
      fc.array(tie("node"), { maxLength: 3 }).map((members) => `[${members.join()}]`),
      fc
        .array(fc.tuple(anyName, tie("node")), { maxLength: 4 })
        .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`),
      tie("node").map((inner) => JSON.stringify(inner)),
    ),
  }));
  return node;
}

/** JSON that a service may send. */
export const jsonTexts = jsonTextsWith(wireNames, [
  '"error"',
  '"[DONE]"',
  '"rate_limit_error"',
  '"https://x"',
  '"{}"',
  '"["',
  '"end_turn"',
]);
