import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Editor } from "./endToEnd.ts";
import { tellFigure } from "./figures.ts";
import { filesBelow, formsOf } from "./secretForms.ts";

export interface LeakSearch {
  /** Places where a secret was found, without the secret. */
  readonly found: readonly string[];
  readonly filesSearched: number;
  readonly messagesSearched: number;
  /** Number of texts copied to the clipboard. */
  readonly copiesSearched: number;
}

/**
 * Searches for secrets in each encoding that they may have. Searches the files of the editor and the browser,
 * webview messages, copied texts, all frames, and all process arguments.
 */
export async function findLeaks(editor: Editor, secrets: readonly string[]): Promise<LeakSearch> {
  const needles = secrets.flatMap(formsOf);
  const found: string[] = [];
  const search = (place: string, content: Buffer): void => {
    if (needles.some((needle) => content.includes(needle))) found.push(place);
  };
  const files = await filesBelow(editor.folders.root);
  for (const file of files) {
    // A listed file may have been renamed or removed since.
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    search(`file ${path.relative(editor.folders.root, file)}`, content);
  }
  const messages = editor.workbench.webviewMessages;
  if (messages === undefined) throw new Error("Open the editor with `recordMessages: true`.");
  for (const { direction, text } of messages) search(`message ${direction}`, Buffer.from(text));
  for (const [index, html] of (await editor.workbench.documents()).entries()) {
    search(`page ${index}`, Buffer.from(html));
  }
  for (const file of await processArguments())
    search(`arguments ${file}`, await readFile(file).catch(() => Buffer.alloc(0)));
  const copies = messages.filter(({ direction }) => direction === "to-clipboard").length;
  return {
    found,
    filesSearched: files.length,
    messagesSearched: messages.length - copies,
    copiesSearched: copies,
  };
}

interface LeakSearchOptions {
  /** Words in the figure that name the test's actions in the editor, such as "after the main job". */
  readonly after: string;
  /** Whether the test itself put a secret into this place. */
  readonly isExpected?: (place: string) => boolean;
}

/**
 * Searches for secrets and prints the figure. Throws an AssertionError if a secret is found in an unexpected
 * place.
 */
export async function assertNoLeaks(
  editor: Editor,
  secrets: readonly string[],
  { after, isExpected }: LeakSearchOptions,
): Promise<LeakSearch> {
  const search = await findLeaks(editor, secrets);
  const { filesSearched, messagesSearched, copiesSearched } = search;
  assert.deepEqual(
    search.found.filter((place) => isExpected?.(place) !== true),
    [],
  );
  tellFigure(
    `the key, ${after}: 0 times${isExpected === undefined ? "" : ", but for where it was put,"} in ${filesSearched} files, ` +
      `${messagesSearched} messages of webviews and ${copiesSearched} copied texts`,
  );
  return search;
}

/** Like `assertNoLeaks`, but ignores the workspace: the test itself put the secret there. */
export async function assertNoLeaksElsewhere(editor: Editor, secret: string, after: string): Promise<void> {
  const workspace = `file ${path.relative(editor.folders.root, editor.workspace)}${path.sep}`;
  await assertNoLeaks(editor, [secret], { after, isExpected: (place) => place.startsWith(workspace) });
}

/** Returns the files in which Linux shows the command line of each process to all users of the machine. */
async function processArguments(): Promise<readonly string[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map((name) => `/proc/${name}/cmdline`);
}
