import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

/** Names that no address belongs to (RFC 2606), and this machine's own. */
const nobody = /(?:^|\.)(?:example|invalid|test|localhost)$/;
const thisMachine = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/** What a socket of the file system says of its other side is nothing. */
const thisMachineByPath = "localhost";

/** Whoever is called by anything in this process, by its name where it was looked up, else by its address. */
export class CalledHosts {
  readonly #called = new Set<string>();

  /** From now on. */
  constructor() {
    subscribe("net.client.socket", (message) => {
      if (typeof message !== "object" || message === null || !("socket" in message)) return;
      const { socket } = message;
      if (!(socket instanceof Socket)) return;
      socket.on("lookup", (_error, _address, _family, host) => this.#called.add(host));
      socket.on("connect", () => this.#called.add(socket.remoteAddress ?? thisMachineByPath));
    });
  }

  get all(): readonly string[] {
    return [...this.#called];
  }

  /** Those beyond this machine. */
  get foreign(): readonly string[] {
    return this.all.filter((host) => !thisMachine.test(host) && !nobody.test(host));
  }
}
