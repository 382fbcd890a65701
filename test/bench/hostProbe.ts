/** The bench's end of the connection to the probe in the extension host (`probe/main.ts`). */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import * as v from "valibot";
import { outputFolder } from "../support/paths.ts";
import {
  type ProbeCall,
  type ProbeInputs,
  type ProbeResult,
  portVariable,
  probeResults,
  replySchema,
} from "./probe/contract.ts";

const source = path.join(import.meta.dirname, "probe");

/** Builds the probe; returns the folder of the unpacked extension. */
export async function buildProbe(): Promise<string> {
  const folder = path.join(outputFolder, "bench-probe");
  await mkdir(folder, { recursive: true });
  await cp(path.join(source, "package.json"), path.join(folder, "package.json"));
  await build({
    entryPoints: [path.join(source, "main.ts")],
    outfile: path.join(folder, "probe.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode"],
    logLevel: "warning",
  });
  return folder;
}

/** Calls the probe of the current extension host: each host has its own probe. */
export class HostProbe implements AsyncDisposable {
  readonly #server: Server;
  #host = Promise.withResolvers<ProbedHost>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => this.#host.resolve(new ProbedHost(socket)));
  }

  static async start(): Promise<HostProbe> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new HostProbe(server);
  }

  /** Environment variables that the extension host needs. */
  get environment(): Readonly<Record<string, string>> {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new TypeError("The bench has no port.");
    return { [portVariable]: String(address.port) };
  }

  /** Sends further calls to the probe of the next host, once it connects. */
  expectNextHost(): void {
    this.#host = Promise.withResolvers();
  }

  /** @throws Error if the probe fails or its host ends */
  async call<Call extends ProbeCall>(name: Call, input: ProbeInputs[Call]): Promise<ProbeResult<Call>> {
    const host = await this.#host.promise;
    return v.parse(probeResults[name], await host.call(name, input));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#host.resolve(new ProbedHost(undefined));
    (await this.#host.promise).end();
  }
}

class ProbedHost {
  readonly #socket: Socket | undefined;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;

  constructor(socket: Socket | undefined) {
    this.#socket = socket;
    if (socket === undefined) return;
    createInterface({ input: socket }).on("line", (line) => this.#take(line));
    socket.on("error", () => undefined);
    socket.on("close", () => this.#fail());
  }

  async call(name: string, input: unknown): Promise<unknown> {
    if (this.#socket === undefined || this.#socket.destroyed)
      throw new Error("The extension host has ended.");
    const id = (this.#calls += 1);
    const answered = Promise.withResolvers<unknown>();
    this.#open.set(id, answered);
    this.#socket.write(`${JSON.stringify({ id, call: name, input })}\n`);
    return answered.promise;
  }

  end(): void {
    this.#socket?.destroy();
  }

  #take(line: string): void {
    const { id, result, error } = v.parse(replySchema, JSON.parse(line));
    const answered = this.#open.get(id);
    this.#open.delete(id);
    if (error === undefined) answered?.resolve(result);
    else answered?.reject(new Error(`The probe failed: ${error}`));
  }

  #fail(): void {
    for (const { reject } of this.#open.values()) reject(new Error("The extension host has ended."));
    this.#open.clear();
  }
}
