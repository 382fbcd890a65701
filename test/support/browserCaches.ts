import { cp, mkdir, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";

/** Names the port that a run's editors take one after the other, and the folder with what browsers kept of them. */
export const editorPortVariable = "INFERENCE_E2E_PORT";
export const browserCachesVariable = "INFERENCE_E2E_CACHES";

/** What a browser keeps of scripts by their address: their text, and what it made of them. */
const kept = [path.join("Default", "Cache"), path.join("Default", "Code Cache")];

/**
 * The port at which the editor before this one stood, so that a browser knows its scripts by their address;
 * 0, which is any, where there is none or it is taken.
 */
export async function nextEditorPort(): Promise<number> {
  const port = Number(process.env[editorPortVariable] ?? 0);
  return port !== 0 && (await isFree(port)) ? port : 0;
}

/** A port that nobody has, below those that the system hands out by itself while no editor has it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

/** Gives a new profile what the browser before it has kept. */
export async function takeBrowserCaches(profile: string): Promise<void> {
  const caches = process.env[browserCachesVariable];
  if (caches === undefined || !(await exists(caches))) return;
  await cp(caches, profile, { recursive: true });
}

/** Keeps what a browser that has ended has kept, for the next one. */
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
