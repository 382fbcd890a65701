/**
 * Parses pasted base URLs into the URLs of requests (specification, sections 1 and 4; wire.md, "What the clients
 * send").
 */

import { type ClientStyle, clientStyles, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { looksLikeKey } from "./keyShape.ts";
import type { AddressProblem } from "../failure/failure.ts";

export interface ServiceAddress {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Origin and, for some gateways, a path before `/v1`; without a slash at the end. */
  readonly base: string;
  readonly modelsUrl: URL;
}

export type AddressReading =
  | { readonly kind: "address"; readonly address: ServiceAddress }
  | { readonly kind: "problem"; readonly problem: AddressProblem; readonly suggestion?: string };

/** Paths of endpoints and the version. A path before them belongs to a gateway. */
const knownEndings = ["/v1", ...clientStyles.map((style) => styleFacts[style].endpoint), "/models", "/"];

/**
 * Parses a pasted base URL. `http` is only accepted for loopback hosts, or if `allowHttp` says that the user accepted
 * it.
 */
export function readAddress(pasted: string, allowHttp = false): AddressReading {
  const text = pasted.trim();
  if (text === "") return { kind: "problem", problem: "empty" };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return readWithoutScheme(text);
  const url = URL.parse(text);
  if (url === null || url.hostname === "") return { kind: "problem", problem: "not-an-address" };
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { kind: "problem", problem: "other-scheme" };
  if (url.username !== "" || url.password !== "") return { kind: "problem", problem: "credentials" };
  if (url.search !== "" || url.hash !== "") return { kind: "problem", problem: "query" };
  const secure = url.protocol === "https:" || isLoopback(url.hostname);
  if (!secure && !allowHttp)
    return { kind: "problem", problem: "insecure", suggestion: `https://${url.host}` };
  return { kind: "address", address: addressOf(url) };
}

/** Returns the URL for requests of a client style. */
export function endpointOf({ base }: ServiceAddress, style: ClientStyle): URL {
  return new URL(`${base}/v1${styleFacts[style].endpoint}`);
}

/** Whether the host is always this machine: localhost, 127.0.0.0/8 and [::1]. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Whether requests leave this machine without encryption. */
export function isUnencrypted({ modelsUrl }: ServiceAddress): boolean {
  return modelsUrl.protocol === "http:" && !isLoopback(modelsUrl.hostname);
}

function readWithoutScheme(text: string): AddressReading {
  const url = URL.parse(`https://${text}`);
  const readable = url !== null && url.username === "" && url.password === "" && !/\s/.test(text);
  if (!readable) return { kind: "problem", problem: text.includes("@") ? "credentials" : "not-an-address" };
  // No suggestion: it would repeat a possible key in a message that is shown and logged.
  if (looksLikeKey(text)) return { kind: "problem", problem: "not-an-address" };
  const scheme = isLoopback(url.hostname) ? "http" : "https";
  return { kind: "problem", problem: "no-scheme", suggestion: `${scheme}://${text}` };
}

function addressOf(url: URL): ServiceAddress {
  const base = `${url.origin}${withoutKnownEndings(url.pathname)}`;
  return { origin: url.origin, base, modelsUrl: new URL(`${base}/v1/models`) };
}

function withoutKnownEndings(whole: string): string {
  let kept = whole;
  for (;;) {
    const path = kept;
    const ending = knownEndings.find((each) => path.slice(-each.length).toLowerCase() === each);
    if (ending === undefined) return path;
    kept = path.slice(0, -ending.length);
  }
}
