import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text as readText } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { fakeKey, openDesk, soon } from "./fixture.ts";

const entry = fileURLToPath(new URL("../../service/main.ts", import.meta.url));

function start(arguments_: readonly string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [entry, ...arguments_], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.timeout(50_000),
  });
}

describe("reference service: npm run service", () => {
  it("prints its base URL, accepts the key in the variable, and exits on SIGTERM", async () => {
    const key = fakeKey("variable");
    const child = start(["--key-variable", "SERVICE_TEST_KEY", "--budget", "0"], { SERVICE_TEST_KEY: key });
    const lines: string[] = [];
    const output = createInterface(child.stdout);
    const closed = once(child, "close");
    for await (const line of output) {
      lines.push(line);
      if (line.startsWith("Stop with")) {
        break;
      }
    }
    const origin = /^Reference service: (http:\/\/127\.0\.0\.1:\d+)$/u.exec(lines[0] ?? "")?.[1] ?? "";
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${origin}/v1/models`, { headers, signal: soon() });
    assert.equal(response.status, 200);
    await response.text();
    assert.ok(!lines.join("\n").includes(key));
    child.kill("SIGTERM");
    assert.deepEqual(await closed, [0, null]);
  });

  it("explains why it can't start", async () => {
    await using desk = await openDesk();
    const taken = start(["--port", new URL(desk.service.origin).port]);
    const misread = start(["--budget", "much"]);
    const [takenText, misreadText, [takenStatus], [misreadStatus]] = await Promise.all([
      readText(taken.stderr),
      readText(misread.stderr),
      once(taken, "close"),
      once(misread, "close"),
    ]);
    assert.match(takenText, /^This port is in use\..*\n$/u);
    assert.match(misreadText, /^--budget needs a whole number\.\n\nUsage: /u);
    assert.deepEqual([takenStatus, misreadStatus], [1, 2]);
  });
});
