import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import type { CodeServer } from "./codeServer.ts";

/** Where the extension host hands its API to extensions. */
const hostFile = path.join("out", "vs", "workbench", "api", "node", "extensionHostProcess.js");
/** The member `lm` of that API, between its neighbours. */
const member = /(?<=\blanguages:[\w$]+,)lm:[\w$]+,(?=notebooks:)/g;

export interface EditorCopy extends CodeServer, AsyncDisposable {}

/**
 * The same editor, as editors are that have no `vscode.lm`: a copy by hard links, of which the one file
 * that makes the API is another. It stands beside the original, since links do not leave a disk.
 */
export async function copyWithoutLanguageModels(codeServer: CodeServer): Promise<EditorCopy> {
  const original = path.resolve(codeServer.serverMain, "..", "..");
  const root = await mkdtemp(path.join(path.dirname(original), "without-models-"));
  const dispose = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const copy = path.join(root, "vscode");
    await linkFolder(original, copy);
    const source = await readFile(path.join(original, hostFile), "utf8");
    if ([...source.matchAll(member)].length !== 1)
      throw new Error("The editor's API is not made as expected.");
    await unlink(path.join(copy, hostFile));
    await writeFile(path.join(copy, hostFile), source.replace(member, ""));
    const serverMain = path.join(copy, path.relative(original, codeServer.serverMain));
    return { ...codeServer, serverMain, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await linkFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target);
  }
}
