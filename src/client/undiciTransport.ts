import { createSecureContext, type SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import type { ConnectionObserver } from "./connectionRecorder.ts";
import { decompress } from "./decompress.ts";
import { NotConnectedError } from "./notConnected.ts";
import { chooseProxy, type ProxySettings } from "./proxyChoice.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "./transport.ts";
import { readTrustedCertificates } from "./trustedCertificates.ts";
import { createAgent } from "./undiciAgent.ts";

/** What the editor's settings and the environment say of proxies and certificates. */
export interface NetworkSettings extends ProxySettings {
  /** False accepts any certificate (the editor's `http.proxyStrictSSL`). */
  readonly strictCertificates: boolean;
  /** Trusts the certificates of the system's store beside Node's own. */
  readonly systemCertificates?: boolean;
}

/** HTTP by undici: an own pool of connections, own limits, redirects never followed. */
export function createUndiciTransport(settings: NetworkSettings, observer?: ConnectionObserver): Transport {
  const agents = new Map<string, Dispatcher>();
  const trust = settings.systemCertificates === true ? trustSystem() : {};
  const agentFor = (url: URL, connectMs: number): Dispatcher => {
    const proxy = chooseProxy(url, settings);
    if (proxy.kind === "unusable") throw new NotConnectedError({ kind: "proxy", code: "UNSUPPORTED_PROXY" });
    const name = `${connectMs} ${proxy.kind === "proxy" ? proxy.url.origin : ""}`;
    const agent =
      agents.get(name) ??
      createAgent({
        proxy,
        connectMs,
        strictCertificates: settings.strictCertificates,
        ...trust,
        ...(observer === undefined ? {} : { observer }),
      });
    agents.set(name, agent);
    return agent;
  };
  return {
    send: async (message, limits, signal) =>
      send(agentFor(message.url, limits.connectMs), message, limits, signal),
    wayTo: (url) => {
      const proxy = chooseProxy(url, settings);
      return {
        transport: "undici",
        ...(proxy.kind === "proxy" ? { proxy: proxy.url.host } : {}),
        anyCertificate: url.protocol === "https:" && !settings.strictCertificates,
      };
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      agents.clear();
    },
  };
}

function trustSystem(): { readonly secureContext?: SecureContext } {
  const certificates = readTrustedCertificates();
  return certificates === undefined ? {} : { secureContext: createSecureContext({ ca: [...certificates] }) };
}

async function send(
  agent: Dispatcher,
  message: HttpRequest,
  limits: TimeLimits,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const answer = await request.call(agent, {
    origin: message.url.origin,
    path: `${message.url.pathname}${message.url.search}`,
    method: message.method,
    headers: { ...message.headers },
    body: message.body ?? null,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    signal,
  });
  const headers = joinHeaders(answer.headers);
  return { status: answer.statusCode, headers, body: decompress(answer.body, headers["content-encoding"]) };
}

function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}
