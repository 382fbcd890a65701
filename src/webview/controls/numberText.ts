/** VS Code's display language; undefined if the page does not know it. */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** Formats a number in the page's language. */
export function numberText(value: number): string {
  return value.toLocaleString(pageLanguage());
}

/** Formats a token count in few characters: `950`, `1.2k`, `34k`. */
export function tokenText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = tokens / 1000;
  return `${thousands < 10 ? thousands.toFixed(1).replace(/\.0$/, "") : Math.round(thousands)}k`;
}
