import { decodePercents } from "../../text/escapes.ts";
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../http/address.ts";

/** Proxy settings of VS Code and the environment. */
export interface ProxySettings {
  /** URL of the proxy for every scheme; if absent, environment variables are used. */
  readonly proxy?: string;
  /** Hosts to reach without a proxy; if absent, the environment variable `no_proxy` is used. */
  readonly noProxy?: readonly string[];
  /** Value of `Proxy-Authorization`; if absent, the login in the proxy URL is used. */
  readonly proxyAuthorization?: string;
  /** Environment variables; absent if proxies are switched off. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export type ProxyChoice =
  | { readonly kind: "direct" }
  | {
      readonly kind: "proxy";
      /** The URL without its login. */
      readonly url: URL;
      readonly authorization?: string;
    }
  /** The configured proxy is not an HTTP proxy or not a URL. */
  | { readonly kind: "unusable" };

/** Selects the proxy for a URL in the order of VS Code: this machine, exceptions, setting, environment. */
export function chooseProxy(url: URL, settings: ProxySettings): ProxyChoice {
  const text = settings.proxy ?? environmentProxy(url, settings.environment ?? {});
  if (text === undefined || isLoopback(url.hostname) || isExcepted(url, settings)) return { kind: "direct" };
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) return { kind: "unusable" };
  const authorization = settings.proxyAuthorization ?? loginOf(proxy);
  return {
    kind: "proxy",
    url: new URL(proxy.origin),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function environmentProxy(url: URL, environment: NonNullable<ProxySettings["environment"]>) {
  const plain = [environment["http_proxy"], environment["HTTP_PROXY"]];
  const names =
    url.protocol === "https:" ? [environment["https_proxy"], environment["HTTPS_PROXY"], ...plain] : plain;
  return names.find((value) => value !== undefined && value !== "");
}

function loginOf({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const login = [username, password].map((part) => decodePercents(part)).join(":");
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

function isExcepted(url: URL, { noProxy, environment = {} }: ProxySettings): boolean {
  const entries = noProxy ?? (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split(/[,\s]+/);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return entries.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

/** Matches `*`, a host with its subdomains (optionally with a port), an IP address, or an address range. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const range = /^([\da-f.:]+)\/(\d{1,3})$/.exec(entry);
  if (range !== null) return isInRange(host, range[1] ?? "", Number(range[2]));
  if (isIP(entry) !== 0) return entry === host;
  const [, name = "", ofPort] = /^(?:\*?\.)?\[?(.*?)\]?\.?(?::(\d+))?$/.exec(entry) ?? [];
  if (name === "" || (ofPort !== undefined && ofPort !== port)) return false;
  return host === name || host.endsWith(`.${name}`);
}

function isInRange(host: string, network: string, prefix: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(network, prefix, type);
  return list.check(host, type);
}
