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
  /** Values in secret storage, by name. */
  secrets: textsSchema,
  /** Texts by path, relative to the extension's storage folder of the workspace. */
  files: textsSchema,
});

/** Everything that VS Code stores for the extension in one workspace, except settings other than the connections. */
export type StoredThings = v.InferOutput<typeof storedThingsSchema>;

const readResultSchema = v.object({
  globalState: stateSchema,
  workspaceState: stateSchema,
  secrets: textsSchema,
  folder: v.string(),
});

/** Names of placeholders in a recording, with the texts of this run, such as an origin. */
type Placeholders = Readonly<Record<string, string>>;

const keeperFile = path.join(import.meta.dirname, "storageKeeper", "keeper.cjs");

/** Writes a recording to a file. Placeholders replace texts that differ between runs, such as keys. */
export async function writeRecording(
  file: string,
  things: StoredThings,
  placeholders: Placeholders,
): Promise<void> {
  let text = JSON.stringify(things, null, 1);
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(value, `{{${name}}}`);
  await writeFile(file, `${text}\n`);
}

/** Reads a recording, and replaces the placeholders by the texts of this run. */
export async function readRecording(file: string, placeholders: Placeholders): Promise<StoredThings> {
  let text = await readFile(file, "utf8");
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(`{{${name}}}`, value);
  return v.parse(storedThingsSchema, JSON.parse(text));
}

/**
 * Reads what the extension has stored. The extension does not run afterwards, so the caller must end the editor.
 */
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
 * Stores the data of an earlier version in the editor, and starts the extension with this data.
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

/** Reloads the window and runs the keeper in place of our extension until it is disposed. */
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
    // VS Code reads the manifests again only if this list is newer than its own cache.
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
      // Task and result may contain keys.
      await rm(taskFile);
      await rm(resultFolder, { recursive: true });
      await install(manifestText);
    },
  };
}

/** Resolves when a file of this name is written to the folder. Rejects after 120 s. */
async function nameInFolder(folder: string, name: string): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for await (const { filename } of watch(folder, { signal })) if (filename === name) return;
}
