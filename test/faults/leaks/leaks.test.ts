import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { tellFigure } from "../../support/figures.ts";
import { formsOf } from "../../support/secretForms.ts";
import { piecesIn, waysToSayKey } from "../../service/saidBack.ts";
import { realKey } from "../realKey.ts";
import { projectRoot } from "../../support/paths.ts";
import { removeTestStores, temporaryFolder } from "../../unit/chat/history/sampleConversation.ts";
import { addressesFile, leakCanary } from "./leakCanary.ts";

const needles = formsOf(leakCanary);
/** Runs a program to its end and writes its output to one file. Resolves with the exit code, or null after a signal. */
async function runInto(file: string, command: string, words: readonly string[]): Promise<number | null> {
  await using output = await open(file, "w");
  const child = spawn(command, words, { stdio: ["ignore", output.fd, output.fd], cwd: projectRoot });
  const [code]: readonly (number | null)[] = await once(child, "close");
  return code ?? null;
}

/** Whether a file contains the key in one of the encodings in `needles`. Reads the file in pieces. */
async function holdsKey(file: string): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const piece of createReadStream(file)) {
    const text = Buffer.concat([rest, piece]);
    if (needles.some((needle) => text.includes(needle))) return true;
    rest = text.subarray(-1024);
  }
  return false;
}

describe("a key used for every request", function () {
  this.timeout(5 * 60_000);
  afterEach(removeTestStores);

  it("appears in no output, error, file, export, rejection or uncaught exception, over both transports", async () => {
    const folder = await temporaryFolder();
    const output = path.join(folder, "output.txt");
    const code = await runInto(output, process.execPath, [
      path.join(import.meta.dirname, "everyFlow.ts"),
      folder,
    ]);
    const said = await readFile(output, "utf8");
    assert.equal(code, 1, said.slice(-2000));
    assert.match(said.slice(-20_000), /InferenceError/, "it ended by an exception of ours");
    const [, kinds = ""] = /^Thrown: (.+)$/m.exec(said) ?? [];
    assert.ok(kinds.split(", ").length >= 4, `too few kinds of errors: ${kinds}`);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    assert.ok(files.length > 30);
    let bytes = 0;
    for (const { parentPath, name } of files) {
      const file = path.join(parentPath, name);
      assert.equal(await holdsKey(file), false, `the key stands in ${name}`);
      const text = await readFile(file, "utf8");
      assert.deepEqual(piecesIn(text, leakCanary), [], `pieces of the key stand in ${name}`);
      bytes += text.length;
    }
    const called: unknown = JSON.parse(await readFile(path.join(folder, addressesFile), "utf8"));
    assert.deepEqual(called, ["127.0.0.1"], "somebody else was called than the services");
    await writeFile(output, `${said}${Buffer.from(leakCanary).toString("base64")}`);
    assert.equal(await holdsKey(output), true, "a key that leaked would not be found");
    for (const [name, say] of Object.entries(waysToSayKey))
      assert.ok(piecesIn(say(leakCanary), leakCanary).length > 0, `would not be found: ${name}`);
    tellFigure(
      `the key and its pieces, searched in all that 2 transports, 2 styles and 5 ways to ask told, threw, stored, exported, rejected and left ` +
        `by an uncaught exception: 0 times in ${files.length} files of ${bytes} bytes; nobody was called but the services`,
    );
  });

  it("does not appear in the repository's history, which contains no real key either", async () => {
    const folder = await temporaryFolder();
    const output = path.join(folder, "history.txt");
    assert.equal(await runInto(output, "git", ["rev-parse", "--is-shallow-repository"]), 0);
    assert.equal((await readFile(output, "utf8")).trim(), "false", "not all of the history is here");
    // Includes binary files and changes that only a merge brought in.
    const whole = ["--all", "-p", "--text", "-m", "--no-color", "--no-ext-diff", "--no-textconv"];
    assert.equal(await runInto(output, "git", ["log", ...whole]), 0);
    const history = await readFile(output, "utf8");
    assert.ok(history.includes("PNG\r\n+\u{1A}\n"), "files that are no text are not searched");
    assert.ok(!/^commit \w+\nMerge: /m.test(history), "merges are not searched");
    assert.equal(await holdsKey(output), false);
    assert.deepEqual([...new Set(history.match(realKey))], []);
    const commits = new Set(history.match(/^commit [0-9a-f]{40,}/gm));
    tellFigure(
      `the repository's history: 0 keys in ${commits.size} commits, merges and files that are no text among them`,
    );
  });
});
