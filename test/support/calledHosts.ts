import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

/** Reserved names (RFC 2606). `localhost` is this machine, and the others have no address. */
const nobody = /(?:^|\.)(?:example|invalid|test|localhost)$/;
const thisMachine = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/** Recorded for a Unix socket, which has no remote address. */
const thisMachineByPath = "localhost";

/** Hosts that any code in this process connects to: the name that was looked up, and the address. */
export class CalledHosts {
  readonly #called = new Set<string>();

  /** Starts recording. */
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

  /** Hosts outside this machine. */
  get foreign(): readonly string[] {
    return this.all.filter((host) => !thisMachine.test(host) && !nobody.test(host));
  }
}
