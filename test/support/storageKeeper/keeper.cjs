"use strict";
// Runs in place of our extension, under its name, to read or write everything that VS Code stores for it.
const { cp, readFile, rename, writeFile } = require("node:fs/promises");
const { join } = require("node:path");

exports.activate = async (context) => {
  const task = JSON.parse(await readFile(join(__dirname, "keeper-task.json"), "utf8"));
  const result = task.kind === "read" ? await read(context, task) : await write(context, task);
  // The reader must never see a partial file.
  await writeFile(`${task.resultFile}.new`, JSON.stringify(result));
  await rename(`${task.resultFile}.new`, task.resultFile);
};

async function read({ globalState, workspaceState, secrets, storageUri, globalStorageUri }, { secretNames }) {
  const stored = await Promise.all(secretNames.map(async (name) => [name, await secrets.get(name)]));
  return {
    globalState: valuesOf(globalState),
    workspaceState: valuesOf(workspaceState),
    secrets: Object.fromEntries(stored.filter(([, value]) => value !== undefined)),
    folder: storageUri.fsPath,
    globalFolder: globalStorageUri.fsPath,
  };
}

function valuesOf(state) {
  return Object.fromEntries(state.keys().map((key) => [key, state.get(key)]));
}

async function write({ globalState, workspaceState, secrets, storageUri, globalStorageUri }, task) {
  for (const [key, value] of Object.entries(task.globalState)) await globalState.update(key, value);
  for (const [key, value] of Object.entries(task.workspaceState)) await workspaceState.update(key, value);
  for (const [name, value] of Object.entries(task.secrets)) await secrets.store(name, value);
  await cp(task.filesFolder, storageUri.fsPath, { recursive: true });
  return { folder: storageUri.fsPath, globalFolder: globalStorageUri.fsPath };
}
