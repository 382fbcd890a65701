import type { LookupFunction } from "node:net";
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

/** Settings of VS Code and the environment for proxies and certificates. */
export interface NetworkSettings extends ProxySettings {
  /** If false, any certificate is accepted (VS Code's `http.proxyStrictSSL`). */
  readonly strictCertificates: boolean;
  /** Whether to trust the certificates of the system in addition to Node's own. */
  readonly systemCertificates?: boolean;
  /** Whether the environment currently makes Node's HTTP, and so VS Code's fetch, accept any certificate. */
  readonly fetchTakesAnyCertificate?: () => boolean;
}

/**
 * Creates a transport with undici: separate connection pools and time limits. Never follows redirects.
 *
 * @param lookup replaces Node's lookup of names; a proxy looks up names itself
 */
export function createUndiciTransport(
  settings: NetworkSettings,
  observer?: ConnectionObserver,
  lookup?: LookupFunction,
): Transport {
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
        ...(lookup === undefined ? {} : { lookup }),
      });
    agents.set(name, agent);
    return agent;
  };
  let isClosed = false;
  return {
    send: async (message, limits, signal) => {
      // undici frees a connection one turn of the event loop after an answer. An earlier request would open another
      // connection.
      await setImmediate();
      // A new agent would use outdated settings and would never be closed.
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
 * Creates the context at the first secured connection and caches it, because reading hundreds of certificates is slow.
 * Node reads the system's certificates once per process, so a newer context would not differ.
 */
function trustSystem(): Trust {
  if (systemTrust === undefined) {
    const certificates = readTrustedCertificates();
    systemTrust =
      certificates === undefined ? {} : { secureContext: createSecureContext({ ca: [...certificates] }) };
  }
  return systemTrust;
}

/** Sends a request and rejects immediately on abort. undici only checks for an abort once it is connected. */
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
 * Returns the PEM certificates of Node and of the system. Both are needed, because a custom list replaces Node's own.
 * Returns undefined if Node has no API for this (before 22.15).
 */
function readTrustedCertificates(): readonly string[] | undefined {
  if (!("getCACertificates" in tls)) return undefined;
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}
