import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Editor } from "./endToEnd.ts";
import { tellFigure } from "./figures.ts";
import { filesBelow, formsOf } from "./secretForms.ts";

export interface LeakSearch {
  /** Where a secret was found, never the secret. */
  readonly found: readonly string[];
  readonly filesSearched: number;
  readonly messagesSearched: number;
  /** Texts that were copied to the clipboard. */
  readonly copiesSearched: number;
}

/**
 * Searches every file the editor and the browser wrote, every message to and from webviews, all that was
 * copied, the DOM of every frame, and the arguments of every process, for secrets in the forms they could have taken.
 */
export async function findLeaks(editor: Editor, secrets: readonly string[]): Promise<LeakSearch> {
  const needles = secrets.flatMap(formsOf);
  const found: string[] = [];
  const search = (place: string, content: Buffer): void => {
    if (needles.some((needle) => content.includes(needle))) found.push(place);
  };
  const files = await filesBelow(editor.folders.root);
  for (const file of files) {
    // A file that is written anew under another name may be gone by now.
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
  /** What was done with the editor, as the figure says it: "after the main job". */
  readonly after: string;
  /** Where the tests have put a secret themselves. */
  readonly isExpected?: (place: string) => boolean;
}

/** Searches, tells the figure of it, and throws an AssertionError where a secret stands. */
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

/** The same where the tests have put the secret into files of the workspace: of what is found elsewhere. */
export async function assertNoLeaksElsewhere(editor: Editor, secret: string, after: string): Promise<void> {
  const workspace = `file ${path.relative(editor.folders.root, editor.workspace)}${path.sep}`;
  await assertNoLeaks(editor, [secret], { after, isExpected: (place) => place.startsWith(workspace) });
}

/** Where Linux shows the command line of each process to everyone on the machine. */
async function processArguments(): Promise<readonly string[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map((name) => `/proc/${name}/cmdline`);
}
