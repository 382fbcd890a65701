/** The name first, as the editor's own lists have it. */
export function convertPathToLabel(path: string): { readonly label: string; readonly description: string } {
  const cut = path.lastIndexOf("/");
  return { label: path.slice(cut + 1), description: cut < 0 ? "" : path.slice(0, cut) };
}
