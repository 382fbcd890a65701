import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import { decompress } from "./decompress.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "./transport.ts";

/** What the editor's settings and the environment say of proxies and certificates. */
export interface NetworkSettings {
  /** URL of the proxy for every scheme; the environment's variables count where it is absent. */
  readonly proxy?: string;
  /** Hosts that are reached without a proxy, separated by commas. */
  readonly noProxy?: string;
  /** False accepts any certificate (the editor's `http.proxyStrictSSL`). */
  readonly strictCertificates: boolean;
  /** PEM certificates trusted beside Node's own. */
  readonly certificates?: readonly string[];
}

/** HTTP by undici: an own pool of connections, own limits, redirects never followed. */
export function createUndiciTransport(settings: NetworkSettings): Transport {
  const agents = new Map<number, Dispatcher>();
  const agentFor = (connectMs: number): Dispatcher => {
    const known = agents.get(connectMs);
    if (known !== undefined) return known;
    const agent = createAgent(settings, connectMs);
    agents.set(connectMs, agent);
    return agent;
  };
  return {
    name: "undici",
    send: (message, limits, signal) => send(agentFor(limits.connectMs), message, limits, signal),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

function createAgent(settings: NetworkSettings, connectMs: number): Dispatcher {
  const tls = {
    rejectUnauthorized: settings.strictCertificates,
    ...(settings.certificates === undefined ? {} : { ca: [...settings.certificates] }),
  };
  return new EnvHttpProxyAgent({
    ...(settings.proxy === undefined ? {} : { httpProxy: settings.proxy, httpsProxy: settings.proxy }),
    ...(settings.noProxy === undefined ? {} : { noProxy: settings.noProxy }),
    connect: { ...tls, timeout: connectMs },
    requestTls: { ...tls, timeout: connectMs },
    proxyTls: tls,
  });
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
