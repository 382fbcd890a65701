import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import type { buildConnector as connectors, Dispatcher } from "undici";
import openTunnel from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { ConnectionObserver } from "./connectionRecorder.ts";
import type { Failure } from "../failure/failure.ts";
import { NotConnectedError, isAbortError, toFailure, readThrownFacts } from "../failure/toFailure.ts";
import type { ProxyChoice } from "./proxyChoice.ts";

/** Bytes of an answer's headers. Cookies and policies of a front rarely come to 16 KiB, Node's own limit. */
export const maxHeaderSize = 64 * 1024;

interface AgentOptions {
  /** Of the service. A proxy's agent serves every other one as well. */
  readonly origin: string;
  readonly proxy: Exclude<ProxyChoice, { readonly kind: "unusable" }>;
  readonly connectMs: number;
  readonly strictCertificates: boolean;
  /** Made once: to read some hundred certificates for each connection is slow. */
  readonly secureContext?: SecureContext;
  readonly observer?: ConnectionObserver;
}

/** Pools of connections, whose errors before a connection stands are `NotConnectedError`. */
export function createAgent(options: AgentOptions): Dispatcher {
  const { proxy, connectMs, strictCertificates, secureContext, observer } = options;
  const tls = {
    timeout: connectMs,
    rejectUnauthorized: strictCertificates,
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  if (proxy.kind === "direct")
    return new Pool(options.origin, {
      connect: marked(buildConnector(tls), toFailure, observer),
      maxHeaderSize,
    });
  return new ProxyAgent({
    uri: proxy.url.href,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    proxyTls: tls,
    requestTls: tls,
    // undici gives its pools `connect` in its index, which is not imported here.
    // A proxy that takes the connection and then never opens the tunnel has not connected either.
    clientFactory: (origin, { connect }) => {
      const marking = marked(connect, proxyFailure, observer);
      return withTunnels(new Pool(origin, { connect: marking, headersTimeout: connectMs }));
    },
    // What is not of the proxy by then is of what lies behind it.
    factory: (origin, { connect }) =>
      new Pool(origin, { connect: marked(connect, toFailure, observer), maxHeaderSize }),
  });
}

function marked(
  connect: connectors.connector,
  read: (error: unknown) => Failure,
  observer: ConnectionObserver | undefined,
): connectors.connector {
  return (options, callback) => {
    const { hostname } = options;
    const begun: unknown = connect(options, (...[error, socket]) => {
      if (error === null) {
        // undici opens a tunnel by itself and has only its end to show.
        if (!(begun instanceof Socket)) observer?.tunnelled(socket, hostname);
        skipUnaskedContinue(socket);
        callback(null, socket);
      } else callback(error instanceof NotConnectedError ? error : new NotConnectedError(read(error)), null);
    });
    if (begun instanceof Socket) observer?.begun(begun, hostname);
  };
}

function proxyFailure(error: unknown): Failure {
  return { kind: "proxy", code: readThrownFacts(error).code ?? "UNKNOWN" };
}

/** Until a tunnel stands all errors are of the proxy, but for who asked having gone. */
function withTunnels(pool: InstanceType<typeof Pool>): Dispatcher {
  const connect = async (options: Parameters<typeof openTunnel>[0]): ReturnType<typeof openTunnel> => {
    try {
      return await openTunnel.call(pool, options);
    } catch (error) {
      if (error instanceof NotConnectedError || isAbortError(error)) throw error;
      throw new NotConnectedError(proxyFailure(error));
    }
  };
  return Object.assign(pool, { connect });
}

const headEnd = "\r\n\r\n";
const continueHead = /^HTTP\/1\.[01] 100\b/;

/**
 * Removes a `100 Continue` that was not asked for from the data of a connection; undici would end the connection.
 * RFC 9110, section 15.2, wants clients to read it and go on.
 */
function skipUnaskedContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk) || !continueHead.test(chunk.toString("latin1", 0, 12))) return chunk;
    const end = chunk.indexOf(headEnd);
    if (end === -1) return chunk;
    const rest = chunk.subarray(end + headEnd.length);
    return rest.length === 0 ? socket.read(size) : rest;
  };
}
