import { fork } from "node:child_process";
import { once } from "node:events";
import * as v from "valibot";

const addressSchema = v.object({ port: v.number() });

/** Runs while a process of its own serves streamed answers of so many events on loopback. */
export async function withStreamServer<T>(events: number, run: (origin: string) => Promise<T>): Promise<T> {
  const server = fork(new URL("streamServer.ts", import.meta.url), [String(events)]);
  try {
    const [address]: unknown[] = await once(server, "message");
    return await run(`http://127.0.0.1:${v.parse(addressSchema, address).port}`);
  } finally {
    server.kill();
  }
}
