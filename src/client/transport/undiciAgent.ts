import { type LookupFunction, Socket } from "node:net";
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

/**
 * Maximum size of response headers in bytes. Cookies and policies of a front end sometimes exceed 16 KiB, Node's own
 * limit.
 */
export const maxHeaderSize = 64 * 1024;

interface AgentOptions {
  /** Origin of the service. The agent of a proxy also serves all other origins. */
  readonly origin: string;
  readonly proxy: Exclude<ProxyChoice, { readonly kind: "unusable" }>;
  readonly connectMs: number;
  readonly strictCertificates: boolean;
  /** Created once, because reading hundreds of certificates per connection is slow. */
  readonly secureContext?: SecureContext;
  readonly observer?: ConnectionObserver;
  /** Replaces Node's lookup of names for connections without a proxy. */
  readonly lookup?: LookupFunction;
}

/** Creates connection pools. Errors before a connection is open become `NotConnectedError`. */
export function createAgent(options: AgentOptions): Dispatcher {
  const { proxy, connectMs, strictCertificates, secureContext, observer, lookup } = options;
  const tls = {
    timeout: connectMs,
    rejectUnauthorized: strictCertificates,
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  if (proxy.kind === "direct")
    return new Pool(options.origin, {
      connect: marked(
        buildConnector({ ...tls, ...(lookup === undefined ? {} : { lookup }) }),
        toFailure,
        observer,
      ),
      maxHeaderSize,
    });
  return new ProxyAgent({
    uri: proxy.url.href,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    proxyTls: tls,
    requestTls: tls,
    // undici's index, which is not imported here, would pass `connect` to the pools. A proxy that accepts the
    // connection but never opens the tunnel counts as not connected.
    clientFactory: (origin, { connect }) => {
      const marking = marked(connect, proxyFailure, observer);
      return withTunnels(new Pool(origin, { connect: marking, headersTimeout: connectMs }));
    },
    // Errors after the tunnel is open come from the service.
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
        // undici opens tunnels itself and only exposes the connected socket.
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

/** Until the tunnel is open, all errors except an abort are proxy errors. */
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
 * Removes an unexpected `100 Continue` from the data of a connection, because undici would close the connection. RFC
 * 9110, section 15.2, requires clients to accept this status.
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
