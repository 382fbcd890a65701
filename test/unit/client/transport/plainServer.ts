import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** A loopback server whose answers a test defines, for behavior that the reference service doesn't have. */
export interface PlainServer {
  readonly origin: string;
  readonly requests: number;
  answer: RequestListener;
  close(): Promise<void>;
}

export async function startPlainServer(): Promise<PlainServer> {
  let requests = 0;
  const plain = {
    origin: "",
    get requests() {
      return requests;
    },
    answer: ((_request, response) => void response.writeHead(404).end()) as RequestListener,
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    },
  };
  const server = createServer((request, response) => {
    requests += 1;
    plain.answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  plain.origin = `http://127.0.0.1:${address.port}`;
  return plain;
}
