/**
 * Whether a text looks like an API key: one that begins as keys do, or a long run of letters and
 * digits. Asked of fields that are no place for a key, so that one pasted there goes no further.
 */
export function looksLikeKey(text: string): boolean {
  const word = text.trim();
  if (/^(?:bearer\s|eyJ[\w-]{10,}\.)/i.test(word)) return true;
  if (/^(?:sk|pk|rk|ak|gsk|xai)[-_][\w-]{8,}$/.test(word)) return true;
  return /^[A-Za-z0-9_-]{20,}$/.test(word) && /[a-z]/i.test(word) && (word.match(/\d/g) ?? []).length >= 4;
}
