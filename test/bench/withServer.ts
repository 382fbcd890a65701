import { fork } from "node:child_process";
import { once } from "node:events";
import * as v from "valibot";

const addressSchema = v.object({ port: v.number() });

/** Calls `run` while a module serves on loopback in its own process. The module sends its port. */
export async function withServer<T>(
  module: URL,
  values: readonly string[],
  run: (origin: string) => Promise<T>,
): Promise<T> {
  const server = fork(module, values);
  try {
    const [address]: unknown[] = await once(server, "message");
    return await run(`http://127.0.0.1:${v.parse(addressSchema, address).port}`);
  } finally {
    server.kill();
  }
}

/** Calls `run` while a server streams answers of `events` events. */
export async function withStreamServer<T>(events: number, run: (origin: string) => Promise<T>): Promise<T> {
  return withServer(new URL("streamServer.ts", import.meta.url), [String(events)], run);
}
