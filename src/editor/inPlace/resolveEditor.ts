/** What of the editor's text editors is looked at here. */
interface EditorOfDocument {
  readonly document: { readonly uri: { toString(): string } };
}

interface OpenEditors<Editor extends EditorOfDocument> {
  readonly active: Editor | undefined;
  readonly visible: readonly Editor[];
  /** The one that was used last: a chat in a tab is no text editor. */
  readonly last: Editor | undefined;
}

/**
 * The editor that a command is about: of the document whose menu it was chosen from, never another one in its
 * place; else the active one, and only without that the one used last.
 */
export function resolveEditor<Editor extends EditorOfDocument>(
  pressed: { toString(): string } | undefined,
  { active, visible, last }: OpenEditors<Editor>,
): Editor | undefined {
  if (pressed === undefined) return active ?? last;
  const shown = active === undefined ? visible : [active, ...visible];
  return shown.find(({ document }) => document.uri.toString() === pressed.toString());
}
