import { once } from "node:events";
import { createServer } from "node:net";
import { Line } from "./line.ts";

/** A TCP server on loopback; `play` decides what happens on each connection. */
export class RawServer {
  readonly #server = createServer((socket) => {
    const line = new Line(socket);
    // A script may fail after the client has left; the test checks only the client.
    this.#plays.set(
      line,
      Promise.resolve(this.play(line)).catch(() => line.destroy()),
    );
  });
  readonly #plays = new Map<Line, Promise<void>>();
  play: (line: Line) => void | Promise<void> = (line) => line.destroy();

  /** @param port 0 for a free port */
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

  /** Resolves when the connection is closed and its script has ended. */
  async left(line: Line): Promise<void> {
    await line.closed;
    await this.#plays.get(line);
  }

  async close(): Promise<void> {
    for (const line of this.#plays.keys()) line.destroy();
    if (this.#server.listening) await once(this.#server.close(), "close");
  }
}
