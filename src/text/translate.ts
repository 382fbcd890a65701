/**
 * Translates a text for the user and fills its placeholders `{0}`, `{1}`, ... Has the same shape as `vscode.l10n.t`.
 * Layers without access to `vscode` receive the function as an argument.
 */
export type Translate = (message: string, ...values: (string | number | boolean)[]) => string;

/** Creates a `Translate` from a bundle that maps English texts to translations. */
export function createTranslate(bundle: Readonly<Record<string, string>> = {}): Translate {
  // A page looks up dozens of texts per render. So lookups must be fast, even for texts that are not in the bundle.
  const known = new Map(Object.entries(bundle));
  return (message, ...values) => {
    const text = known.get(message) ?? message;
    if (values.length === 0) return text;
    return text.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? placeholder : String(value);
    });
  };
}
