/** The editor's language; undefined where the page does not know it. */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** A number as the reader's language groups it. */
export function numberText(value: number): string {
  return value.toLocaleString(pageLanguage());
}
