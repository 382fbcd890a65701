import { cp, mkdir, readdir, readFile, rm, watch, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import type { Editor } from "./endToEnd.ts";
import { extensionId } from "./workbench/webviewFrame.ts";

const stateSchema = v.record(v.string(), v.unknown());
const textsSchema = v.record(v.string(), v.string());

const storedThingsSchema = v.object({
  /** The user's setting `inference.connections`. */
  connections: v.array(v.unknown()),
  globalState: stateSchema,
  workspaceState: stateSchema,
  /** Values of the secret store by name. */
  secrets: textsSchema,
  /** Texts by path, relative to the extension's storage of the workspace. */
  files: textsSchema,
});

/** Everything that the editor stores for the extension in one workspace, except settings of other kinds. */
export type StoredThings = v.InferOutput<typeof storedThingsSchema>;

const readResultSchema = v.object({
  globalState: stateSchema,
  workspaceState: stateSchema,
  secrets: textsSchema,
  folder: v.string(),
});

/** A text of the run, such as an origin, and the placeholder that stands for it in a recording. */
type Placeholders = Readonly<Record<string, string>>;

const keeperFile = path.join(import.meta.dirname, "storageKeeper", "keeper.cjs");

/** Writes a recording to a file, with placeholders for texts that differ from run to run, such as keys. */
export async function writeRecording(
  file: string,
  things: StoredThings,
  placeholders: Placeholders,
): Promise<void> {
  let text = JSON.stringify(things, null, 1);
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(value, `{{${name}}}`);
  await writeFile(file, `${text}\n`);
}

/** Reads a recording and puts the texts of this run into it. */
export async function readRecording(file: string, placeholders: Placeholders): Promise<StoredThings> {
  let text = await readFile(file, "utf8");
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(`{{${name}}}`, value);
  return v.parse(storedThingsSchema, JSON.parse(text));
}

/** Reads what the extension has stored. It is not running afterwards: the editor is to be ended. */
export async function readStoredThings(
  editor: Editor,
  connections: readonly unknown[],
  secretNames: readonly string[],
): Promise<StoredThings> {
  await using keeper = await runKeeper(editor, { kind: "read", secretNames });
  const { folder, ...stores } = v.parse(readResultSchema, keeper.result);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [path.relative(folder, file), await readFile(file, "utf8")] as const),
  );
  return { connections: [...connections], ...stores, files: Object.fromEntries(texts) };
}

/**
 * Gives the editor what an earlier version has stored, and starts the extension upon it.
 * @returns the extension's storage folder of the workspace
 */
export async function restoreStoredThings(
  editor: Editor,
  { connections, globalState, workspaceState, secrets, files }: StoredThings,
): Promise<string> {
  const filesFolder = path.join(editor.folders.root, "recorded");
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(filesFolder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const keeper = await runKeeper(editor, {
    kind: "write",
    globalState,
    workspaceState,
    secrets,
    filesFolder,
  });
  const { folder } = v.parse(v.object({ folder: v.string() }), keeper.result);
  await keeper[Symbol.asyncDispose]();
  await editor.workbench.updateSettings({ "inference.connections": connections });
  return folder;
}

interface Keeper extends AsyncDisposable {
  readonly result: unknown;
}

/** Has the keeper run in the place of our extension until it is disposed; the window is loaded anew. */
async function runKeeper({ folders, workbench }: Editor, task: object): Promise<Keeper> {
  const installed = (await readdir(folders.extensions)).find((name) => name.startsWith(`${extensionId}-`));
  if (installed === undefined) throw new Error("The extension is not installed.");
  const folder = path.join(folders.extensions, installed);
  const manifestFile = path.join(folder, "package.json");
  const manifestText = await readFile(manifestFile, "utf8");
  const listFile = path.join(folders.extensions, "extensions.json");
  const resultFolder = path.join(folders.root, "kept");
  const resultFile = path.join(resultFolder, "result.json");
  const install = async (text: string): Promise<void> => {
    await writeFile(manifestFile, text);
    // The editor reads the manifests again only if this list is newer than what it remembers.
    await writeFile(listFile, await readFile(listFile));
  };
  const manifest = v.parse(v.looseObject({}), JSON.parse(manifestText));
  await rm(resultFolder, { recursive: true, force: true });
  await mkdir(resultFolder);
  await cp(keeperFile, path.join(folder, "keeper.cjs"));
  const taskFile = path.join(folder, "keeper-task.json");
  await writeFile(taskFile, JSON.stringify({ ...task, resultFile }));
  await install(JSON.stringify({ ...manifest, main: "./keeper.cjs", activationEvents: ["*"] }));
  const written = nameInFolder(resultFolder, path.basename(resultFile));
  await Promise.all([written, workbench.reload()]);
  return {
    result: JSON.parse(await readFile(resultFile, "utf8")),
    [Symbol.asyncDispose]: async () => {
      // Both may hold keys.
      await rm(taskFile);
      await rm(resultFolder, { recursive: true });
      await install(manifestText);
    },
  };
}

/** Resolves once the folder has a file of this name. */
async function nameInFolder(folder: string, name: string): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for await (const { filename } of watch(folder, { signal })) if (filename === name) return;
}
