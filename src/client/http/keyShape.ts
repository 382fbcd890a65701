/**
 * Whether a text looks like an API key: one that begins as keys do, or a long run of letters and
 * digits. Asked of fields that are no place for a key, so that one pasted there goes no further.
 */
export function looksLikeKey(text: string): boolean {
  const word = text.trim();
  if (/^(?:bearer\s|eyJ[\w-]{10,}\.)/i.test(word)) return true;
  if (/^(?:sk|pk|rk|ak|gsk|xai)[-_][\w-]{8,}$/.test(word)) return true;
  if (!/^[A-Za-z0-9_-]{20,}$/.test(word) || !/[a-z]/i.test(word)) return false;
  return (word.match(/\d/g) ?? []).length >= 4 && !isSpoken(word);
}

/** `sonnet`, `ACME`, `DeepSeek`, `GmbH`. */
const plainWord = /^(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+){1,2}[A-Z]{0,4})$/;
/** Days, versions and sizes: `20241022`, `4o`, `v2`, `8x22b`, `Qwen3`, `W4A16`. */
const number = /^(?:\d{1,8}|(?:[A-Z]?[a-z]*|[A-Z]+)\d{1,4}(?:(?:[A-Z]{1,2}|[a-z]{1,2})\d{0,2}[A-Za-z]?)?)$/;

/** Names of models and projects have dates too. They fall into words and short numbers, as no key does. */
function isSpoken(text: string): boolean {
  const parts = text.split(/[-_]/);
  const words = parts.filter((part) => part.length > 2 && plainWord.test(part));
  return (
    parts.every((part) => plainWord.test(part) || number.test(part)) &&
    words.join("").length * 4 >= parts.join("").length
  );
}
