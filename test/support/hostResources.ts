import assert from "node:assert/strict";
import { type AsyncHook, createHook } from "node:async_hooks";
import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { collectGarbage } from "./collectGarbage.ts";
import { ListenerWatch } from "./listenerWatch.ts";

/** What a process holds. */
export interface HostResources {
  /** Bytes of the heap and of buffers, after rubbish was taken out. */
  readonly memory: number;
  /** Timers, sockets and the like that keep it alive, by their kind. */
  readonly active: Readonly<Record<string, number>>;
  /** Timers, sockets and requests of files made since it is watched, also those that do not keep it alive, by kind. */
  readonly held: Readonly<Record<string, number>>;
  /** By whose code each of `held` was made, for who reads why a comparison failed. */
  readonly makers: readonly string[];
  /** Open descriptors of files and sockets, by what they lead to; none where the system does not tell. */
  readonly descriptors: Readonly<Record<string, number>>;
  /** Listeners on the process itself, and in a process of our own those that came to anything else, by its kind. */
  readonly listeners: Readonly<Record<string, number>>;
}

const megabyte = 1024 * 1024;
/** Of the memory before. */
const mostGrowth = 1.1;
/** Milliseconds; a server keeps a connection for five seconds. */
const longestTimer = 10_000;
/** Milliseconds; what is left for good is left by then too, and the editor may have something open at each look. */
const longestLook = 30_000;
/** What the editor makes at any time, for a while: as `process` calls it, and as `async_hooks` does. */
const passing = new Map([
  ["Timeout", "Timeout"],
  ["FSReqPromise", "FSREQPROMISE"],
  ["FSReqCallback", "FSREQCALLBACK"],
  ["CloseReq", "FILEHANDLECLOSEREQ"],
]);
/** As `async_hooks` calls them. */
const sockets = ["TCPWRAP", "TLSWRAP", "PIPEWRAP"];
const isSocket = (kind: string): boolean => sockets.some((each) => kind.startsWith(each));
const watchedKinds = new Set([...passing.values(), ...sockets]);
/**
 * The editor's own timers come and go by its clock, and every few seconds it reads in `/proc` which ports are open; it
 * opens a log with what is first written there, and locks a workspace's storage some time behind its start. One for
 * each answer would be a leak.
 */
const mostOfEditor = 5;
const ofEditor = " of the editor";
const framesKept = 30;
/** Frames of this watch, of Node and of the language: any code has them behind it. */
const withoutFile = /\bAsyncHook\.init\b|\bnode:|<anonymous>\)?$/u;

/** Of the editor's own process these alone are counted. */
const listenerOfProcess = "listener of this process";

interface Made {
  readonly kind: string;
  readonly maker: string;
}

/** Watches what this process comes to hold. */
export class HostWatch implements Disposable {
  readonly #living = new Map<number, Made>();
  readonly #hook = this.#watch();
  readonly #editorFolder: string | undefined;
  /** The editor listens to its own all the time. */
  readonly #listeners: ListenerWatch | undefined;

  /** @param editorFolder where the code of the editor lies, if the process is one of its own */
  constructor(editorFolder?: string) {
    this.#editorFolder = editorFolder;
    this.#listeners = editorFolder === undefined ? new ListenerWatch() : undefined;
  }

  /** Waits for timers that run out by themselves while there are more than before: such as a pool's, once a second. */
  readBehind(before: HostResources): Promise<HostResources> {
    return this.#readOnce((after) => moreHeld(before, after).length === 0, longestLook);
  }

  /** Waits for the ends of the connections that were made: what is open of them would hide as much that is left later. */
  readSettled(): Promise<HostResources> {
    return this.#readOnce(({ held }) => !Object.keys(held).some(isSocket), longestTimer);
  }

  /** After a while also where it never holds. */
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
    // What is closed is told of in a later turn of the loop.
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
      // Each would cost more than what is measured. Node's types do not know it yet.
      trackPromises: false,
    };
    return createHook(callbacks).enable();
  }

  #tell(kind: string, stack: readonly string[]): Made {
    const folder = this.#editorFolder;
    // Whoever asks the editor for something stands behind the timers by which it is sent, too.
    const maker = stack.find((frame) => !withoutFile.test(frame));
    const isOfEditor = folder !== undefined && maker?.includes(folder) === true;
    return { kind: isOfEditor ? kind + ofEditor : kind, maker: maker?.trim() ?? "Node itself" };
  }
}

/** What each descriptor leads to; sockets and pipes without their numbers, what the editor opens by itself as one. */
async function readDescriptors(): Promise<readonly string[]> {
  const folder = "/proc/self/fd";
  const names = await readdir(folder).catch(() => []);
  // The descriptor by which the folder was read is gone by now.
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
  // The first line is no frame, and the second is this function's; an editor's host indents frames its own way.
  return stack.split("\n").slice(2);
}

/**
 * What is held more than before, in words.
 * @throws AssertionError where anything is left, or more than a tenth of the memory
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
  // Whose they are, is known only of those that were watched; the ones from before can but become fewer.
  const active = Object.entries(after.active).filter(([kind]) => !passing.has(kind));
  return [
    ...moreOf(before.active, Object.fromEntries(active)),
    ...moreOf(before.held, after.held),
    ...moreOf(before.descriptors, after.descriptors),
    ...moreOf(before.listeners, after.listeners),
  ];
}

/** In words, of which kinds there are more. */
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
