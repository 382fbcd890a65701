/** A number as the reader's language groups it. */
export function numberText(value: number): string {
  return value.toLocaleString(document.documentElement.lang || undefined);
}
