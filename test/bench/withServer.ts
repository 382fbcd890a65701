import { fork } from "node:child_process";
import { once } from "node:events";
import * as v from "valibot";

const addressSchema = v.object({ port: v.number() });

/** Runs while a module serves on loopback in a process of its own, which tells its port. */
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

/** Runs while streamed answers of so many events are served. */
export async function withStreamServer<T>(events: number, run: (origin: string) => Promise<T>): Promise<T> {
  return withServer(new URL("streamServer.ts", import.meta.url), [String(events)], run);
}
