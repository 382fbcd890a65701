/** The editor's language; undefined where the page does not know it. */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** A number as the reader's language groups it. */
export function numberText(value: number): string {
  return value.toLocaleString(pageLanguage());
}

/** Tokens in few characters: `950`, `1.2k`, `34k`. */
export function tokenText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = tokens / 1000;
  return `${thousands < 10 ? thousands.toFixed(1).replace(/\.0$/, "") : Math.round(thousands)}k`;
}
