import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import * as v from "valibot";

/** Listens on a port but accepts no connection, because its backlog is full. */
export interface BlackHole extends AsyncDisposable {
  readonly port: number;
}

const backlog = 1;
const listenAndSleep = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: ${backlog} }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

export async function openBlackHole(): Promise<BlackHole> {
  const worker = new Worker(listenAndSleep, { eval: true });
  const [message]: readonly unknown[] = await once(worker, "message");
  const port = v.parse(v.number(), message);
  const fillers = Array.from({ length: backlog + 1 }, () => connect(port, "127.0.0.1"));
  for (const filler of fillers) await once(filler, "connect");
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const filler of fillers) filler.on("error", () => undefined).destroy();
      await worker.terminate();
    },
  };
}
