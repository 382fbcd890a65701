import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import { toFailure } from "../failure/toFailure.ts";
import type { HttpResponse, TimeLimits } from "../http/transport.ts";
import { createUndiciTransport, type NetworkSettings } from "./undiciTransport.ts";
import {
  type AddressCheck,
  readWebsiteUrl,
  requireReachable,
  WebsiteError,
  type WebsiteProblem,
  type WebsiteReach,
} from "./websiteAddress.ts";

interface WebsiteBody {
  /** After redirects. */
  readonly url: string;
  /** Empty if the website names none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Whether the body is longer than `maxBytes`. */
  readonly isCut: boolean;
}

interface WebsiteRequest {
  readonly settings: NetworkSettings;
  readonly userAgent: string;
  readonly reach: WebsiteReach;
  readonly signal: AbortSignal;
  /** Redirects that led to the URL. They count towards the limit. */
  readonly redirects?: number;
  /** Replaced by tests. */
  readonly timeoutMs?: number;
}

/** Bytes of a body after decompression. */
const maxBytes = 2 * 1024 * 1024;
const maxRedirects = 3;
/** All redirects and the body together. */
const totalMs = 20_000;
const limits: TimeLimits = {
  connectMs: 10_000,
  headersMs: totalMs,
  idleMs: totalMs,
  totalMs,
  closingMs: totalMs,
};
const accepted = "text/html, text/markdown, text/plain, application/json, */*;q=0.5";

/**
 * Gets a website by undici, with the proxies and certificates of the user, and with no header but those here: no key,
 * no cookie. A connection of its own is closed at the end. VS Code's fetch is not used, since it does not say which
 * address it connects to.
 *
 * @throws WebsiteError; the reason of the signal if it aborts
 */
export async function requestWebsite(url: URL, request: WebsiteRequest): Promise<WebsiteBody> {
  const { settings, signal, reach, redirects = 0, timeoutMs = totalMs } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = new AbortController();
  let refused: string | undefined;
  const lookup = checkedLookup((address) => {
    const isAllowed = reach.mayConnectTo(address);
    if (!isAllowed) refused = address;
    return isAllowed;
  });
  const transport = createUndiciTransport(settings, undefined, lookup);
  const headers = { "user-agent": request.userAgent, accept: accepted };
  const get = async (from: URL): Promise<HttpResponse> => {
    requireReachable(from, settings, reach);
    refused = undefined;
    const stops = AbortSignal.any([signal, timeout, ending.signal]);
    return transport.send({ method: "GET", url: from, headers }, limits, stops);
  };
  try {
    return await follow(url, get, redirects);
  } catch (error) {
    signal.throwIfAborted();
    if (refused !== undefined) throw new WebsiteError({ type: "private-address", resolved: refused });
    if (timeout.aborted) throw new WebsiteError({ type: "timeout", seconds: timeoutMs / 1000 });
    throw error instanceof WebsiteError ? error : new WebsiteError(problemOf(error));
  } finally {
    ending.abort();
    await transport.close();
  }
}

async function follow(
  start: URL,
  get: (url: URL) => Promise<HttpResponse>,
  redirectsBefore: number,
): Promise<WebsiteBody> {
  let url = start;
  for (let redirects = redirectsBefore; redirects <= maxRedirects; redirects += 1) {
    const response = await get(url);
    const { status, headers } = response;
    const location = headers["location"];
    if (status >= 200 && status < 300) {
      const body = await readBody(response.body);
      return { url: url.href, contentType: headers["content-type"] ?? "", ...body };
    }
    if (status < 300 || status >= 400 || location === undefined)
      throw new WebsiteError({ type: "status", status });
    // An unread body would keep the connection open.
    await readBody(response.body);
    if (redirects === maxRedirects) break;
    url = nextUrl(url, location, redirects + 1);
  }
  throw new WebsiteError({ type: "redirects", count: maxRedirects });
}

function nextUrl(from: URL, location: string, count: number): URL {
  const target = URL.parse(location, from.href);
  if (target === null) throw new WebsiteError({ type: "address" });
  const losesEncryption = from.protocol === "https:" && target.protocol !== "https:";
  // From http to https, the usual port of the one leads to that of the other.
  if (target.host !== from.host || losesEncryption)
    throw new WebsiteError({ type: "redirect", target: target.href, count });
  return readWebsiteUrl(target.href);
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Pick<WebsiteBody, "bytes" | "isCut">> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: length > maxBytes };
}

function problemOf(error: unknown): WebsiteProblem {
  const failure = toFailure(error);
  return {
    type: "connection",
    failure: failure.kind,
    code: "code" in failure ? failure.code : failure.kind,
  };
}

/** Looks up names as Node does. The connection goes to the very addresses that were checked. */
function checkedLookup(mayConnectTo: AddressCheck): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null) callback(error, []);
      else if (first === undefined || !found.every(({ address }) => mayConnectTo(address)))
        callback(new Error("The address may not be read."), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
