// `npm start`: opens an editor with the extension, connected to a service for the chat.
import { cp } from "node:fs/promises";
import path from "node:path";
import { createEditorFolders } from "./editorFolders.ts";
import { openEditorWindow } from "./editorWindow.ts";
import { sampleWorkspace } from "./paths.ts";
import { describeError } from "./setupProblem.ts";
import { nameRealConnection, startDemoConnection } from "./startConnection.ts";
import { readStartOptions, startUsage } from "./startOptions.ts";

/** Resolves at the first signal to stop; ignores further signals during the shutdown. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
}

async function start(stopped: Promise<void>): Promise<void> {
  const real = readStartOptions(process.argv.slice(2));
  await using connection =
    real === undefined ? await startDemoConnection() : nameRealConnection(real, process.env);
  await using folders = await createEditorFolders({ settings: connection.settings });
  const workspace = path.join(folders.root, "workspace");
  await cp(sampleWorkspace, workspace, { recursive: true });
  console.log("Building the extension and opening the editor...");
  const { environment, description } = connection;
  await using editor = await openEditorWindow({ folders, workspace, environment });
  console.log(["", editor.description, ...description, "", "Stop with Ctrl+C."].join("\n"));
  await Promise.race([editor.closed, stopped]);
  console.log("\nStopping...");
}

if (process.argv.includes("--help")) {
  console.log(startUsage);
} else {
  try {
    await start(stopSignal());
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
process.exit();
