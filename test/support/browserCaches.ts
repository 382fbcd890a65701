import { cp, mkdir, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";

/**
 * Environment variables: the port that a run's editors use in turn, and the folder with the saved browser caches.
 */
export const editorPortVariable = "INFERENCE_E2E_PORT";
export const browserCachesVariable = "INFERENCE_E2E_CACHES";

/** Folders of a browser profile with cached scripts, by URL: their text and their compiled code. */
const kept = [path.join("Default", "Cache"), path.join("Default", "Code Cache")];

/**
 * Returns the port of the previous editor, so that the browser finds its scripts in the cache by URL. Returns 0,
 * which means any port, if there is no such port or it is in use.
 */
export async function nextEditorPort(): Promise<number> {
  const port = Number(process.env[editorPortVariable] ?? 0);
  return port !== 0 && (await isFree(port)) ? port : 0;
}

/** Finds a free port below the range from which the system assigns ports: it stays free while no editor uses it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

/** Copies the saved caches of the previous browser into a new profile. */
export async function takeBrowserCaches(profile: string): Promise<void> {
  const caches = process.env[browserCachesVariable];
  if (caches === undefined || !(await exists(caches))) return;
  await cp(caches, profile, { recursive: true });
}

/** Saves the caches of a browser that has ended, for the next one. */
export async function keepBrowserCaches(profile: string): Promise<void> {
  const caches = process.env[browserCachesVariable];
  if (caches === undefined) return;
  const next = `${caches}.${process.pid}`;
  await rm(next, { recursive: true, force: true });
  for (const folder of kept) {
    await mkdir(path.dirname(path.join(next, folder)), { recursive: true });
    if (await exists(path.join(profile, folder)))
      await rename(path.join(profile, folder), path.join(next, folder));
  }
  await rm(caches, { recursive: true, force: true });
  await rename(next, caches);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
