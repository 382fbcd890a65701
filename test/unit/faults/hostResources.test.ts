import assert, { AssertionError } from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { compareHeld, type HostResources, HostWatch } from "../../support/hostResources.ts";

type LetGo = () => Promise<void>;

const run = promisify(execFile);
const leftNothing = /; 0 listeners[^,]*, timers, sockets and files left$/u;

describe("the watch of what a host holds", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "held-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** Opens a pipe, for which the system waits until somebody writes there. */
  async function askForFile(): Promise<LetGo> {
    const pipe = path.join(folder, "pipe");
    await run("mkfifo", [pipe]);
    const reading = open(pipe, "r");
    return async () => {
      const files = await Promise.all([open(pipe, "w"), reading]);
      await Promise.all(files.map((file) => file.close()));
      await rm(pipe);
    };
  }

  async function keepFile(): Promise<LetGo> {
    const file = await open(path.join(folder, "kept"), "w");
    return () => file.close();
  }

  const leaks: readonly [what: string, leak: () => Promise<LetGo>, told: RegExp][] = [
    ["a timer", startTimer, /^Timeout: \d+ before, \d+ after$/u],
    ["a server", listen, /\bTCPServerWrap: \d+ before, \d+ after\b/u],
    ["a request of a file", askForFile, /^FSREQPROMISE: 0 before, 1 after$/u],
    ["an open file", keepFile, /\/kept: 0 before, 1 after$/u],
  ];
  for (const [what, leak, told] of leaks) {
    it(`tells of ${what} that is left, and of nothing once it is let go`, async () => {
      using watch = new HostWatch();
      const before = await watch.readSettled();
      const letGo = await leak();
      const after = await watch.read();
      await letGo();
      assert.match(moreIn(before, after), told);
      assert.match(compareHeld(before, await watch.readBehind(before)), leftNothing);
    });
  }

  it("lets the editor have some of its own, and nobody else", async () => {
    using watch = new HostWatch(import.meta.dirname);
    const before = await watch.readSettled();
    const few = await Promise.all(Array.from({ length: 5 }, startTimer));
    const after = await watch.read();
    const more = await startTimer();
    const afterMore = await watch.read();
    await Promise.all([...few, more].map((letGo) => letGo()));
    assert.doesNotThrow(() => compareHeld(before, after));
    assert.equal(moreIn(before, afterMore), "Timeout of the editor: 0 before, 6 after");
  });
});

function startTimer(): Promise<LetGo> {
  const timer = setInterval(() => undefined, 60_000);
  return Promise.resolve(() => Promise.resolve(clearInterval(timer)));
}

async function listen(): Promise<LetGo> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return async () => {
    server.close();
    await once(server, "close");
  };
}

/** What `compareHeld` complains of. */
function moreIn(before: HostResources, after: HostResources): string {
  try {
    return compareHeld(before, after);
  } catch (error) {
    assert.ok(error instanceof AssertionError && Array.isArray(error.actual), String(error));
    return error.actual.join("\n");
  }
}
