import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";

/** The parts of a client's request that faults need. */
export interface RawRequest {
  readonly method: string;
  /** Path and query; host and port for `CONNECT`. */
  readonly path: string;
}

/** A connection on which a test writes every byte itself. */
export class Line {
  readonly #raw: Socket;
  #socket: Socket;
  /** Joined only when needed: joining at each read would copy earlier bytes again. */
  #pieces: Buffer[] = [];
  #length = 0;
  #ended = false;
  #changed: () => void = () => undefined;
  readonly #closing = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.#raw = socket;
    this.#socket = socket;
    this.#listen();
  }

  /** Resolves when the connection is fully closed, whoever closed it. */
  get closed(): Promise<void> {
    return this.#closing.promise;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Resolves with the next request after reading and dropping its body; undefined if the client has left. */
  async nextRequest(): Promise<RawRequest | undefined> {
    const head = await this.#take(() => this.#join().indexOf("\r\n\r\n") + 4, 4);
    if (head === undefined) return undefined;
    const [start = "", ...fields] = head.toString("latin1").split("\r\n");
    const [method = "", path = ""] = start.split(" ");
    const length = fields.map((field) => /^content-length: *(\d+)/i.exec(field)?.[1]).find(Boolean);
    const body = await this.#take(() => Number(length ?? 0), 0);
    return body === undefined ? undefined : { method, path };
  }

  /** Resolves when a byte has arrived or the client has left. */
  async heard(): Promise<void> {
    while (this.#length === 0 && !this.#ended) await this.#change();
  }

  /** Resolves when the system has accepted the bytes or the connection has closed. */
  async send(bytes: string | Uint8Array): Promise<void> {
    if (this.#socket.destroyed || this.#socket.write(bytes)) return;
    const drained = Promise.withResolvers<void>();
    this.#socket.once("drain", drained.resolve);
    await Promise.race([drained.promise, this.closed]);
  }

  /** Repeats a piece until the connection closes. Resolves with the number of bytes written. */
  async flood(piece: string | Uint8Array): Promise<number> {
    const bytes = Buffer.from(piece);
    const repeated = Buffer.alloc(Math.ceil(65_536 / bytes.length) * bytes.length, bytes);
    let sent = 0;
    while (!this.#socket.destroyed) {
      await this.send(repeated);
      sent += repeated.length;
      // The client runs in this process and needs its turn, even if all bytes are accepted at once.
      await new Promise(setImmediate);
    }
    return sent;
  }

  /** Writes a piece at this interval until the connection closes. */
  async drip(piece: string, milliseconds: number): Promise<void> {
    const timer = setInterval(() => void this.send(piece), milliseconds);
    await this.closed;
    clearInterval(timer);
  }

  /** Continues with TLS on this connection, as the server. */
  secure(secureContext: SecureContext): void {
    this.#socket.removeAllListeners("data");
    const secured = new TLSSocket(this.#raw, { isServer: true, secureContext });
    this.#socket = secured;
    this.#listen();
  }

  /** Sends the bytes and closes the connection cleanly. */
  end(bytes: string | Uint8Array = ""): void {
    this.#socket.end(bytes);
  }

  /** Resets the connection; the client may lose data that it has not read. */
  reset(): void {
    this.#raw.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#raw.destroy();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on("data", (bytes) => {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      this.#changed();
    });
    socket.on("error", () => this.destroy());
    socket.on("end", () => this.#end());
    socket.on("close", () => {
      this.#end();
      this.#closing.resolve();
    });
  }

  #join(): Buffer {
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  #end(): void {
    this.#ended = true;
    this.#changed();
  }

  async #take(length: () => number, least: number): Promise<Buffer | undefined> {
    for (;;) {
      const wanted = length();
      if (wanted >= least && this.#length >= wanted) {
        const received = this.#join();
        const taken = received.subarray(0, wanted);
        this.#pieces = [received.subarray(wanted)];
        this.#length -= wanted;
        return taken;
      }
      if (this.#ended) return undefined;
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}
