import assert from "node:assert/strict";
import { type AsyncHook, createHook } from "node:async_hooks";
import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { collectGarbage } from "./collectGarbage.ts";
import { ListenerWatch } from "./listenerWatch.ts";

export interface HostResources {
  /** Bytes of the heap and of buffers after garbage collection. */
  readonly memory: number;
  /** Timers, sockets and other resources that keep the process alive: their number by kind. */
  readonly active: Readonly<Record<string, number>>;
  /**
   * Timers, sockets and file requests since the watch began, even if they don't keep the process alive: their
   * number by kind.
   */
  readonly held: Readonly<Record<string, number>>;
  /** The code that made each of `held`, to explain a failed comparison. */
  readonly makers: readonly string[];
  /** Open descriptors of files and sockets: their number by target. Empty if the system does not list them. */
  readonly descriptors: Readonly<Record<string, number>>;
  /**
   * Listeners on the process itself. In our own processes, also listeners added to other objects, by kind of
   * object.
   */
  readonly listeners: Readonly<Record<string, number>>;
}

const megabyte = 1024 * 1024;
/** Largest memory allowed afterwards, as a factor of the memory before. */
const mostGrowth = 1.1;
/** Milliseconds; a server holds a connection open for five seconds. */
const longestTimer = 10_000;
/** Milliseconds. A real leak still exists by then; at any single check, the editor may have something open. */
const longestLook = 30_000;
/** Short-lived resources, which the editor may create at any time: their names in `process`, and in `async_hooks`. */
const passing = new Map([
  ["Timeout", "Timeout"],
  ["FSReqPromise", "FSREQPROMISE"],
  ["FSReqCallback", "FSREQCALLBACK"],
  ["CloseReq", "FILEHANDLECLOSEREQ"],
]);
/** Names of sockets in `async_hooks`. */
const sockets = ["TCPWRAP", "TLSWRAP", "PIPEWRAP"];
const isSocket = (kind: string): boolean => sockets.some((each) => kind.startsWith(each));
const watchedKinds = new Set([...passing.values(), ...sockets]);
/**
 * Allowed growth of the editor's own resources. Its timers come and go, and every few seconds it reads the open ports
 * in `/proc`. It opens a log at the first write, and locks the storage of a workspace some time after its start. A
 * leak of one resource per answer would exceed this number.
 */
const mostOfEditor = 5;
const ofEditor = " of the editor";
const framesKept = 30;
/** Stack frames of this watch, of Node and of the language: every stack has such frames. */
const withoutFile = /\bAsyncHook\.init\b|\bnode:|<anonymous>\)?$/u;

/** The only listeners counted in the editor's own process. */
const listenerOfProcess = "listener of this process";

interface Made {
  readonly kind: string;
  readonly maker: string;
}

/** Watches the resources that this process creates. */
export class HostWatch implements Disposable {
  readonly #living = new Map<number, Made>();
  readonly #hook = this.#watch();
  readonly #editorFolder: string | undefined;
  /** Undefined in the editor's own process: the editor adds listeners all the time. */
  readonly #listeners: ListenerWatch | undefined;

  /** @param editorFolder folder of the editor's code, if this is one of the editor's processes */
  constructor(editorFolder?: string) {
    this.#editorFolder = editorFolder;
    this.#listeners = editorFolder === undefined ? new ListenerWatch() : undefined;
  }

  /**
   * Waits up to 30 s while there are more resources than before: some timers end by themselves, such as one per
   * second in a connection pool.
   */
  readBehind(before: HostResources): Promise<HostResources> {
    return this.#readOnce((after) => moreHeld(before, after).length === 0, longestLook);
  }

  /** Waits up to 10 s until all watched connections have closed: an open one now would hide a leaked one later. */
  readSettled(): Promise<HostResources> {
    return this.#readOnce(({ held }) => !Object.keys(held).some(isSocket), longestTimer);
  }

  /** Reads until `holds` returns true, or until `within` milliseconds have passed. */
  async #readOnce(holds: (resources: HostResources) => boolean, within: number): Promise<HostResources> {
    const end = performance.now() + within;
    let resources = await this.read();
    while (!holds(resources) && performance.now() < end) {
      await wait(100);
      resources = await this.read();
    }
    return resources;
  }

  async read(): Promise<HostResources> {
    // Node reports closed resources in a later turn of the event loop.
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    const active = countKinds(process.getActiveResourcesInfo());
    const living = [...this.#living.values()];
    const held = countKinds(living.map(({ kind }) => kind));
    const makers = living.map(({ kind, maker }) => `${kind}: ${maker}`);
    const { heapUsed, external } = process.memoryUsage();
    const descriptors = countKinds(await readDescriptors());
    const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const listeners = { ...this.#listeners?.count(), [listenerOfProcess]: ofProcess };
    return { memory: heapUsed + external, active, held, makers, descriptors, listeners };
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
    this.#listeners?.[Symbol.dispose]();
  }

  #watch(): AsyncHook {
    const callbacks = {
      init: (id: number, kind: string) => {
        if (watchedKinds.has(kind)) this.#living.set(id, this.#tell(kind, readStack()));
      },
      destroy: (id: number) => void this.#living.delete(id),
      // Tracking promises would cost more than the measured code. Node's types don't have this option yet.
      trackPromises: false,
    };
    return createHook(callbacks).enable();
  }

  #tell(kind: string, stack: readonly string[]): Made {
    const folder = this.#editorFolder;
    // Uses the innermost frame: if our code makes a request, the editor's timer for that request counts as the
    // editor's.
    const maker = stack.find((frame) => !withoutFile.test(frame));
    const isOfEditor = folder !== undefined && maker?.includes(folder) === true;
    return { kind: isOfEditor ? kind + ofEditor : kind, maker: maker?.trim() ?? "Node itself" };
  }
}

/**
 * Returns the targets of all descriptors. Leaves out the numbers of sockets and pipes. Logs, locks and files of
 * `/proc` share one name.
 */
async function readDescriptors(): Promise<readonly string[]> {
  const folder = "/proc/self/fd";
  const names = await readdir(folder).catch(() => []);
  // The descriptor used to read the folder is closed by now.
  const targets = await Promise.all(
    names.map((name) => readlink(path.join(folder, name)).catch(() => undefined)),
  );
  return targets.flatMap((target) => (target === undefined ? [] : [tellTarget(target)]));
}

function tellTarget(target: string): string {
  if (/\.(?:log|lock)$|^\/proc\//u.test(target)) return `log, lock or port${ofEditor}`;
  return /^(?:socket|pipe):/u.exec(target)?.[0].slice(0, -1) ?? target;
}

function readStack(): readonly string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesKept;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  // Skips the first line, which is no frame, and this function's frame. The editor's host has its own indentation
  // of frames.
  return stack.split("\n").slice(2);
}

/**
 * Compares the resources before and after, and returns the figures in words.
 * @throws AssertionError if there are more resources than before, or if memory has grown by more than a tenth
 */
export function compareHeld(before: HostResources, after: HostResources): string {
  assert.deepEqual(moreHeld(before, after), [], `More is held than before:\n${after.makers.join("\n")}`);
  const [from, to] = [before, after].map(({ memory }) => (memory / megabyte).toFixed(1));
  assert.ok(after.memory <= before.memory * mostGrowth, `${from} MB before, ${to} MB after`);
  const areAll = Object.keys(after.listeners).some((kind) => kind !== listenerOfProcess);
  const listeners = areAll ? "listeners" : "listeners of the process";
  return `memory ${from} MB before, ${to} MB after; 0 ${listeners}, timers, sockets and files left`;
}

function moreHeld(before: HostResources, after: HostResources): readonly string[] {
  // Short-lived kinds count only in `held`, which knows their makers. Resources from before the watch can only
  // decrease.
  const active = Object.entries(after.active).filter(([kind]) => !passing.has(kind));
  return [
    ...moreOf(before.active, Object.fromEntries(active)),
    ...moreOf(before.held, after.held),
    ...moreOf(before.descriptors, after.descriptors),
    ...moreOf(before.listeners, after.listeners),
  ];
}

/** Describes the kinds with a higher count than before. */
function moreOf(before: HostResources["held"], after: HostResources["held"]): readonly string[] {
  return Object.entries(after)
    .filter(([kind, count]) => count > (before[kind] ?? 0) + (kind.endsWith(ofEditor) ? mostOfEditor : 0))
    .map(([kind, count]) => `${kind}: ${before[kind] ?? 0} before, ${count} after`);
}

function countKinds(kinds: Iterable<string>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
