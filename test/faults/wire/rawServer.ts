import { once } from "node:events";
import { createServer } from "node:net";
import { Line } from "./line.ts";

/** A server on loopback without a protocol: each connection is handed to whoever plays it. */
export class RawServer {
  readonly #server = createServer((socket) => {
    const line = new Line(socket);
    // A script may break off where the client has gone; what then happens is judged at the client.
    this.#plays.set(
      line,
      Promise.resolve(this.play(line)).catch(() => line.destroy()),
    );
  });
  readonly #plays = new Map<Line, Promise<void>>();
  play: (line: Line) => void | Promise<void> = (line) => line.destroy();

  /** @param port by default a free one */
  async listen(port = 0): Promise<void> {
    await once(this.#server.listen(port, "127.0.0.1"), "listening");
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    return address.port;
  }

  get openLines(): readonly Line[] {
    return [...this.#plays.keys()].filter((line) => !line.isClosed);
  }

  /** Resolves when the connection is closed, and what was begun on it has been played to its end. */
  async left(line: Line): Promise<void> {
    await line.closed;
    await this.#plays.get(line);
  }

  async close(): Promise<void> {
    for (const line of this.#plays.keys()) line.destroy();
    if (this.#server.listening) await once(this.#server.close(), "close");
  }
}
