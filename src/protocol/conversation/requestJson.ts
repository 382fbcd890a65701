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
