/**
 * Looks a text for people up in the user's language and fills its placeholders `{0}`, `{1}`, ...
 * Same shape as `vscode.l10n.t`, which the composition root hands down; layers below the editor
 * take it as an argument so that they stay free of `vscode`.
 */
export type Translate = (message: string, ...values: (string | number | boolean)[]) => string;

/** A `Translate` over a bundle of translations (English text to translated text). */
export function createTranslate(bundle: Readonly<Record<string, string>> = {}): Translate {
  // A page asks for dozens of texts each time that it is drawn, most of them in English and so not among these.
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
