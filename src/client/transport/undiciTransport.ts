import { setImmediate } from "node:timers/promises";
import * as tls from "node:tls";
import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import type { ConnectionObserver } from "./connectionRecorder.ts";
import { decompress } from "./decompress.ts";
import { NotConnectedError } from "../failure/toFailure.ts";
import { chooseProxy } from "./proxyChoice.ts";
import type { ProxySettings } from "./proxyChoice.ts";
import type { HttpRequest, TimeLimits, Transport } from "../http/transport.ts";
import { createAgent } from "./undiciAgent.ts";

/** What the editor's settings and the environment say of proxies and certificates. */
export interface NetworkSettings extends ProxySettings {
  /** False accepts any certificate (the editor's `http.proxyStrictSSL`). */
  readonly strictCertificates: boolean;
  /** Trusts the certificates of the system's store beside Node's own. */
  readonly systemCertificates?: boolean;
  /** Whether the environment has Node's own HTTP take any certificate now, and so the editor's fetch. */
  readonly fetchTakesAnyCertificate?: () => boolean;
}

/** HTTP by undici: an own pool of connections, own limits, redirects never followed. */
export function createUndiciTransport(settings: NetworkSettings, observer?: ConnectionObserver): Transport {
  const agents = new Map<string, Dispatcher>();
  const agentFor = (url: URL, connectMs: number): Dispatcher => {
    const proxy = chooseProxy(url, settings);
    if (proxy.kind === "unusable") throw new NotConnectedError({ kind: "proxy", code: "UNSUPPORTED_PROXY" });
    const first = proxy.kind === "proxy" ? proxy.url.origin : url.origin;
    const isSecured = url.protocol === "https:" || first.startsWith("https:");
    const name = `${connectMs} ${isSecured ? "tls" : ""} ${proxy.kind} ${first}`;
    const agent =
      agents.get(name) ??
      createAgent({
        origin: url.origin,
        proxy,
        connectMs,
        strictCertificates: settings.strictCertificates,
        ...(isSecured && settings.systemCertificates === true ? trustSystem() : {}),
        ...(observer === undefined ? {} : { observer }),
      });
    agents.set(name, agent);
    return agent;
  };
  let isClosed = false;
  return {
    send: async (message, limits, signal) => {
      // undici frees a connection in the turn of the event loop behind an answer; who asks before makes another.
      await setImmediate();
      // A new agent would have settings that no longer hold, and nobody to close it.
      if (isClosed) AbortSignal.abort().throwIfAborted();
      const answer = await send(agentFor(message.url, limits.connectMs), message, limits, signal);
      const headers = joinHeaders(answer.headers);
      return {
        status: answer.statusCode,
        headers,
        body: decompress(answer.body, headers["content-encoding"]),
      };
    },
    routeFor: (url) => {
      const proxy = chooseProxy(url, settings);
      return {
        transport: "undici",
        ...(proxy.kind === "proxy" ? { proxy: proxy.url.host } : {}),
        anyCertificate: url.protocol === "https:" && !settings.strictCertificates,
      };
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      agents.clear();
    },
  };
}

interface Trust {
  readonly secureContext?: SecureContext;
}

let systemTrust: Trust | undefined;

/**
 * Made for the first secured connection, and kept: to read some hundred certificates takes many milliseconds. Node
 * itself reads those of the system once in a process, so that no other transport would see newer ones.
 */
function trustSystem(): Trust {
  if (systemTrust === undefined) {
    const certificates = readTrustedCertificates();
    systemTrust =
      certificates === undefined ? {} : { secureContext: createSecureContext({ ca: [...certificates] }) };
  }
  return systemTrust;
}

/** undici hears of an abort when a connection stands, and then sends nothing; whoever aborts does not wait for that. */
async function send(
  agent: Dispatcher,
  message: HttpRequest,
  limits: TimeLimits,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    requestBy(agent, message, limits, signal)
      .finally(() => signal.removeEventListener("abort", abort))
      .then(resolve, reject);
  });
}

function requestBy(
  agent: Dispatcher,
  message: HttpRequest,
  limits: TimeLimits,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return request.call(agent, {
    origin: message.url.origin,
    path: `${message.url.pathname}${message.url.search}`,
    method: message.method,
    headers: { ...message.headers },
    body: message.body ?? null,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    signal,
  });
}

function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}

/**
 * PEM certificates of Node's own list and of the system's store. Both, since a list that is given to
 * a connection replaces Node's own. Undefined where this Node cannot tell them (before 22.15).
 */
function readTrustedCertificates(): readonly string[] | undefined {
  if (!("getCACertificates" in tls)) return undefined;
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}
