import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { LineFollower } from "../support/lineFollower.ts";
import { projectRoot } from "../support/paths.ts";
import { filesBelow } from "../support/secretForms.ts";
import { withEditor } from "../support/withEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { answerForAcme, partsOf } from "../support/workbench/parts.ts";

const canary = fakeKey("canary-left-90e2");
/**
 * Number of uncaught errors that `careless` leaves: for each of two errors, 500 rejected promises and one exception.
 */
const left = 2 * 501;
/** The text that VS Code logs for each uncaught error at the level `trace`. */
const leftError = "forwarded error to extension?";

/** Starts a service that fails each request and repeats all headers, including the key. */
async function startEcho(): Promise<Server> {
  const echo = createServer(({ headers }, response) => {
    const heard = JSON.stringify(headers);
    response.writeHead(500, { "content-type": "application/json", "x-request-id": "echo" });
    response.end(JSON.stringify({ error: { type: heard, message: heard, code: heard } }));
  });
  await once(echo.listen(0, "127.0.0.1"), "listening");
  return echo;
}

function originOf(server: Server): string {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

describe("errors that another extension leaves uncaught, in a real editor", () => {
  let echo: Server;
  const editor = withEditor({
    log: "trace",
    recordMessages: true,
    settings: { "inference.network.transport": "undici" },
    furtherExtensions: [path.join(projectRoot, "test", "nightly", "careless")],
  });

  before(async () => {
    echo = await startEcho();
    const { palette } = partsOf(editor);
    await palette.run("inference.addConnection");
    await answerForAcme(editor, originOf(echo), canary);
  });
  after(() => {
    echo.close();
  });

  it("are all in the host's log, which never contains the key", async () => {
    await leaveErrors();
    await editor.workbench.updateSettings({
      "inference.network.transport": "editor",
      "inference.connections": [{ name: "Acme", baseUrl: originOf(echo) }],
    });
    // When the chat is open, the extension host that the reload has started has its own new log.
    await partsOf(editor).chat.open();
    await leaveErrors();
    await assertNoLeaks(editor, [canary], {
      after: `${2 * left} errors that another extension left uncaught, over both transports`,
    });
  });

  /** Leaves errors, and waits until all are in the log. */
  async function leaveErrors(): Promise<void> {
    const logs = (await filesBelow(editor.folders.root)).filter((file) => file.endsWith("remoteexthost.log"));
    const log = logs.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1);
    assert.ok(log !== undefined);
    const allLogged = Promise.withResolvers<void>();
    let logged = 0;
    using _follower = new LineFollower(log, (line) => {
      if (line.includes(leftError)) logged += 1;
      if (logged === left) allLogged.resolve();
    });
    AbortSignal.timeout(150_000).addEventListener("abort", () =>
      allLogged.reject(new Error(`Only ${logged} of ${left} errors were logged.`)),
    );
    await partsOf(editor).palette.runTitle("Careless: Leave Errors", "careless.leaveErrors");
    await allLogged.promise;
    assert.match(await readFile(log, "utf8"), /\[error\] Error: The service failed\./);
  }
});
