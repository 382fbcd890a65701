import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import * as v from "valibot";
import * as vscode from "vscode";

/** A request of the extension host. Times are those of `performance.now()`. */
interface WatchedRequest {
  /** Arrival of the last byte before the request, on any of the watched sockets. */
  readonly arrived: number;
  readonly sent: number;
  /** Milliseconds of processor time of the whole host until `sent`. */
  readonly processor: number;
  body: Uint8Array;
}

const socketSchema = v.object({ socket: v.instance(Socket) });

const open = new Set<Socket>();
const watched = new WeakSet<Socket>();
let port: number | undefined;
let lastArrival = Number.NaN;
let requests: WatchedRequest[] = [];

/** Follows the host's sockets from its start: a connection may be older than the first watched request. */
export function followSockets(): void {
  subscribe("net.client.socket", (message) => {
    const { socket } = v.parse(socketSchema, message);
    open.add(socket);
    socket.once("connect", () => watch(socket));
    socket.once("close", () => open.delete(socket));
  });
}

/** Records the requests to this port of loopback from now on. */
export function watchRequests(watchedPort: number): void {
  port = watchedPort;
  lastArrival = performance.now();
  requests = [];
  for (const socket of open) watch(socket);
}

/** Replaces the methods that receive and send bytes: our bundle of undici reports nothing to other extensions. */
function watch(socket: Socket): void {
  if (socket.remotePort !== port || watched.has(socket)) return;
  watched.add(socket);
  socket.push = before(socket.push.bind(socket), () => (lastArrival = performance.now()));
  socket.write = before(socket.write.bind(socket), note);
}

/** Returns a function that calls `look` with its first argument, and then the method. */
function before<Method extends (...given: never[]) => boolean>(
  method: Method,
  look: (first: unknown) => void,
): Method {
  return new Proxy(method, {
    apply: (target, self: unknown, given: Parameters<Method>): unknown => {
      look(given[0]);
      return Reflect.apply(target, self, given);
    },
  });
}

/** The head of a request is a text, and its body follows as bytes. */
function note(chunk: unknown): void {
  const last = requests.at(-1);
  if (typeof chunk === "string" && chunk.startsWith("POST ")) {
    const { user, system } = process.cpuUsage();
    const processor = (user + system) / 1_000;
    requests.push({ arrived: lastArrival, sent: performance.now(), processor, body: new Uint8Array() });
  } else if (chunk instanceof Uint8Array && last?.body.length === 0) last.body = chunk;
}

/** Returns the requests since the last call, oldest first, with the time that only writing their bodies takes. */
export function takeRequests() {
  const taken = requests.map(({ arrived, sent, processor, body }) => ({
    work: sent - arrived,
    processor,
    bytes: body.length,
    writing: timeToWrite(body),
  }));
  requests = [];
  return taken;
}

function timeToWrite(body: Uint8Array): number {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  const start = performance.now();
  Buffer.from(JSON.stringify(value));
  return performance.now() - start;
}

/** Returns the milliseconds that VS Code takes to read a file. */
export async function timeToRead(path: string): Promise<number> {
  const start = performance.now();
  await vscode.workspace.fs.readFile(vscode.Uri.file(path));
  return performance.now() - start;
}
