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

describe("HostWatch", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "held-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** Starts to open a named pipe. The request stays open until the pipe is also opened for writing. */
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
    ["a server", listen, /^TCPServerWrap: \d+ before, \d+ after$/u],
  ];
  // Only Linux lists the open files of a process, and some systems have no named pipes.
  const leaksOfFiles: typeof leaks = [
    ["a file request", askForFile, /^FSREQPROMISE: \d+ before, \d+ after$/u],
    ["an open file", keepFile, /\/kept: 0 before, 1 after$/u],
  ];
  for (const [what, leak, told] of process.platform === "linux" ? [...leaks, ...leaksOfFiles] : leaks) {
    it(`reports ${what} that leaks`, async () => {
      using watch = new HostWatch();
      const before = await watch.read();
      const letGo = await leak();
      const after = await watch.read();
      await letGo();
      assert.ok(linesOf(before, after).some((line) => told.test(line)));
    });
  }

  it("allows VS Code five timers of its own and no more", async () => {
    using watch = new HostWatch(new URL(".", import.meta.url).href);
    const before = await watch.read();
    const letGo = await Promise.all(Array.from({ length: 5 }, startTimer));
    const withFive = timersOfEditor(before, await watch.read());
    letGo.push(await startTimer());
    const withSix = timersOfEditor(before, await watch.read());
    await Promise.all(letGo.map((each) => each()));
    assert.deepEqual([withFive, withSix], [[], ["Timeout of the editor: 0 before, 6 after"]]);
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

function timersOfEditor(before: HostResources, after: HostResources): readonly string[] {
  return linesOf(before, after).filter((line) => line.startsWith("Timeout of the editor"));
}

/** Leaks that `compareHeld` reports. They can include timers of other tests in this process. */
function linesOf(before: HostResources, after: HostResources): readonly string[] {
  try {
    compareHeld(before, after);
    return [];
  } catch (error) {
    assert.ok(error instanceof AssertionError, String(error));
    return Array.isArray(error.actual) ? error.actual.map(String) : [];
  }
}
