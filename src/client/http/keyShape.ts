/**
 * Whether a text looks like an API key: a known key prefix, or a long run of letters and digits. Used for fields that
 * expect no key, so that a pasted key goes no further.
 */
export function looksLikeKey(text: string): boolean {
  const word = text.trim();
  if (/^(?:bearer\s|eyJ[\w-]{10,}\.)/i.test(word)) return true;
  if (/^(?:sk|pk|rk|ak|gsk|xai)[-_][\w-]{8,}$/.test(word)) return true;
  if (!/^[A-Za-z0-9_-]{20,}$/.test(word) || !/[a-z]/i.test(word)) return false;
  return (word.match(/\d/g) ?? []).length >= 4 && !isSpoken(word);
}

/** Whether a part of the text looks like a key, as in `key=...` and `openai/...`. */
export function holdsKey(text: string): boolean {
  return [text, ...text.split(/[^\w.-]+/), ...text.split(/[^\w-]+/)].some(looksLikeKey);
}

/** Words such as `sonnet`, `ACME`, `DeepSeek`, `GmbH`. */
const plainWord = /^(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+){1,2}[A-Z]{0,4})$/;
/** Dates, versions and sizes: `20241022`, `4o`, `v2`, `8x22b`, `Qwen3`, `W4A16`. */
const number = /^(?:\d{1,8}|(?:[A-Z]?[a-z]*|[A-Z]+)\d{1,4}(?:(?:[A-Z]{1,2}|[a-z]{1,2})\d{0,2}[A-Za-z]?)?)$/;

/** Whether a text is a name of a model or project. Such names consist of words and short numbers, unlike keys. */
function isSpoken(text: string): boolean {
  const parts = text.split(/[-_]/);
  const words = parts.filter((part) => part.length > 2 && plainWord.test(part));
  return (
    parts.every((part) => plainWord.test(part) || number.test(part)) &&
    words.join("").length * 4 >= parts.join("").length
  );
}
