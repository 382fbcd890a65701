import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

/** A loopback proxy that connects every tunnel to one local port, whatever host is requested. */
export interface ConnectProxy {
  readonly origin: string;
  readonly host: string;
  /** The requested hosts and ports of all tunnels, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** @param login the required value of `Proxy-Authorization`; other requests get status 407 */
export async function startConnectProxy(target: URL, login?: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((_request, response) => void response.writeHead(400).end());
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    keep(socket);
    if (login !== undefined && request.headers["proxy-authorization"] !== login) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    const far = connect(Number(target.port), target.hostname, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      far.pipe(socket).pipe(far);
    });
    keep(far);
    far.on("close", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    host: `127.0.0.1:${address.port}`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
