/** The properties of a text editor that are used here. */
interface EditorOfDocument {
  readonly document: { readonly uri: { toString(): string } };
}

interface OpenEditors<Editor extends EditorOfDocument> {
  readonly active: Editor | undefined;
  readonly visible: readonly Editor[];
  /** The text editor used last: a chat in a tab is not a text editor. */
  readonly last: Editor | undefined;
}

/**
 * Finds the editor that a command applies to. `pressed` is the document whose menu the command was run from. If it is
 * given, returns only an editor of that document. If not, returns the active editor, or else the last used one.
 */
export function resolveEditor<Editor extends EditorOfDocument>(
  pressed: { toString(): string } | undefined,
  { active, visible, last }: OpenEditors<Editor>,
): Editor | undefined {
  if (pressed === undefined) return active ?? last;
  const shown = active === undefined ? visible : [active, ...visible];
  return shown.find(({ document }) => document.uri.toString() === pressed.toString());
}
