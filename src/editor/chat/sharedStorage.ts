import { basename, dirname, join } from "node:path";

/** The editor's name for a workspace, and what it adds where another window has the same one open. */
const numbered = /^(-?[0-9a-f]+)-[1-9]$/;

/**
 * The storage that all windows of a workspace share. The editor locks an extension's folder and gives a second
 * window one with a number behind; a chat kept there would be gone when that window is the only one.
 * @param folder absolute path of what the editor gave: `<workspace>/<extension>`
 */
export function sharedStorage(folder: string): string {
  const workspace = dirname(folder);
  const name = numbered.exec(basename(workspace))?.[1];
  return name === undefined ? folder : join(dirname(workspace), name, basename(folder));
}
