import { causeOf } from "./causeOf.ts";
import { FailureError, InferenceError } from "./failure.ts";
import type { Failure } from "./failure.ts";
import { isFields, readString } from "../../protocol/conversation/json.ts";
import type { Fields } from "../../protocol/conversation/json.ts";

/** Returns a thrown `InferenceError` unchanged, or creates one from any other thrown value. */
export function fail(thrown: unknown): InferenceError {
  if (thrown instanceof InferenceError) return thrown;
  const failure = toFailure(thrown);
  return new InferenceError(failure, causeOf(failure));
}

/**
 * Converts an error of an HTTP client to a failure. Stores none of its texts: the error for an invalid header contains
 * the whole key.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  const facts = readThrownFacts(error);
  const host = facts.host === undefined ? {} : { host: facts.host };
  const code = facts.code ?? "UNKNOWN";
  if (hasCode(facts, headerOverflow)) return { kind: "unreadable", bodyKind: "large-headers" };
  // Check parser errors first: their messages also match the test for our own headers.
  if (isOtherProtocol(facts)) return { kind: "unreadable", bodyKind: "text" };
  if (isMalformed(facts)) return { kind: "unreadable", bodyKind: "malformed" };
  if (isUnsendableKey(facts)) return { kind: "key", cause: "malformed-key" };
  if (isProxy(facts)) return { kind: "proxy", code, ...proxyStatus(facts) };
  if (isLoginHidden(facts)) return { kind: "proxy", code, status: 407 };
  const phase = timeoutPhase(facts);
  if (phase !== undefined) return { kind: "timeout", phase };
  if (isAbort(facts)) return { kind: "cancelled" };
  if (isTls(facts)) return { kind: "tls", code, ...host };
  if (isAddress(facts)) return { kind: "address", problem: "not-an-address" };
  if (isNetwork(facts)) return { kind: "network", code, ...host };
  return { kind: "unknown", detail: facts.names[0] ?? "" };
}

/** Whether an error means that the caller aborted the request, not a timeout. */
export function isAbortError(error: unknown): boolean {
  return !(error instanceof FailureError) && toFailure(error).kind === "cancelled";
}

const hasMessage = (facts: ThrownFacts, pattern: RegExp): boolean =>
  facts.messages.some((text) => pattern.test(text));
const hasCode = (facts: ThrownFacts, pattern: RegExp): boolean =>
  facts.codes.some((code) => pattern.test(code));
const hasName = (facts: ThrownFacts, name: string): boolean => facts.names.includes(name);

/** Codes of undici, Node and Chromium for headers beyond their limit. */
const headerOverflow = /^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW|ERR_RESPONSE_HEADERS_TOO_BIG)$/;

/** Whether the answer does not begin like HTTP, according to the parser or Chromium. */
function isOtherProtocol(facts: ThrownFacts): boolean {
  return (
    hasCode(facts, /^(?:HPE_INVALID_CONSTANT|ERR_INVALID_HTTP_RESPONSE)$/) ||
    (hasName(facts, "HTTPParserError") && hasMessage(facts, /Expected HTTP\//))
  );
}

/** Whether the answer begins like HTTP but is malformed. An early end does not count. */
function isMalformed(facts: ThrownFacts): boolean {
  if (hasMessage(facts, /Invalid EOF state/)) return false;
  return (
    hasName(facts, "HTTPParserError") ||
    // undici reports an unexpected 1xx status as a broken socket, but the service has the request.
    (hasCode(facts, /^UND_ERR_SOCKET$/) && hasMessage(facts, /^bad (?:response|upgrade)$/)) ||
    hasCode(
      facts,
      /^(?:HPE_\w+|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_INVALID_CHUNKED_ENCODING|ERR_CONTENT_DECODING_FAILED|ERR_RESPONSE_HEADERS_MULTIPLE_\w+)$/,
    ) ||
    hasCode(facts, spoiledCoding)
  );
}

/** Node's codes for a body that violates its content coding. An early end does not count. */
const spoiledCoding = /^(?:Z_(?!BUF_)|ERR__ERROR_|ZSTD_error_)/;

/** Whether a header has invalid characters. The key is the only header that a user types. */
function isUnsendableKey(facts: ThrownFacts): boolean {
  return (
    hasCode(facts, /^ERR_INVALID_CHAR$/) ||
    hasMessage(facts, /\bByteString\b|invalid (?:\w+ )?header|header content/i)
  );
}

function isProxy(facts: ThrownFacts): boolean {
  return (
    hasCode(
      facts,
      /^(?:UND_ERR_PRX|UND_ERR_SOCKS|ERR_PROXY|ERR_(?:\w+_)?PROX(?:Y|IES)|ERR_TUNNEL|ERR_SOCKS|ERR_PAC|ERR_MANDATORY_PROXY)/,
    ) || hasMessage(facts, /\bproxy response\b|\btunneling\b|\bproxy (?:connection|authentication)\b/i)
  );
}

/**
 * Whether the error is a hidden 407. `fetch` turns 407 into an error (Fetch standard, HTTP-network-or-cache fetch).
 * Node gives this error no details, unlike every other error that our requests can cause.
 */
function isLoginHidden({ codes, names, messages }: ThrownFacts): boolean {
  return codes.length === 0 && messages.join() === "fetch failed" && names.length === 2;
}

function proxyStatus(facts: ThrownFacts): { readonly status?: number } {
  const digits = facts.messages
    .map((text) => /\b([1-5]\d\d)\b/.exec(text)?.[1])
    .find((text) => text !== undefined);
  return digits === undefined ? {} : { status: Number(digits) };
}

function timeoutPhase(facts: ThrownFacts): "connect" | "headers" | "idle" | undefined {
  if (hasCode(facts, /^UND_ERR_HEADERS_TIMEOUT$/)) return "headers";
  if (hasCode(facts, /^UND_ERR_BODY_TIMEOUT$/)) return "idle";
  // An open connection timed out. The service may be working on the request.
  if (hasMessage(facts, /\b(?:read|write) ETIMEDOUT\b/)) return "headers";
  if (hasCode(facts, /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ERR_CONNECTION_TIMED_OUT)$/)) return "connect";
  if (hasCode(facts, /^(?:ESOCKETTIMEDOUT|ERR_TIMED_OUT)$/) || hasName(facts, "TimeoutError"))
    return "headers";
  return undefined;
}

function isAbort(facts: ThrownFacts): boolean {
  return (
    hasName(facts, "AbortError") ||
    hasCode(facts, /^(?:ABORT_ERR|ERR_ABORTED|ERR_CANCELED|UND_ERR_ABORT(?:ED)?)$/) ||
    (hasName(facts, "Canceled") && hasMessage(facts, /^canceled$/i))
  );
}

const tlsCodes =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|ERR_CERT(?:IFICATE)?_|ERR_BAD_SSL|ERR_OSSL_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|CRL_|OCSP_)/;

function isTls(facts: ThrownFacts): boolean {
  return (
    hasCode(facts, tlsCodes) ||
    hasMessage(
      facts,
      /\bcertificate\b|before secure TLS connection|\b(?:ssl|tls)(?:v\d+)? (?:alert|handshake)|wrong version number/i,
    )
  );
}

function isAddress(facts: ThrownFacts): boolean {
  return (
    hasCode(facts, /^(?:ERR_INVALID_URL|ERR_INVALID_PROTOCOL|ERR_UNKNOWN_URL_SCHEME|ERR_UNSAFE_PORT)$/) ||
    hasMessage(
      facts,
      /parse URL|invalid URL|\bunknown scheme\b|\bbad port\b|includes credentials|unexpected redirect/i,
    )
  );
}

function isNetwork(facts: ThrownFacts): boolean {
  return (
    facts.code !== undefined ||
    hasMessage(facts, /^fetch failed$|^terminated$|socket hang up|other side closed/i)
  );
}

/** The facts of an error and its nested causes. The texts are for matching only and must not be stored or shown. */
export interface ThrownFacts {
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  /** The innermost code, which is the most specific. */
  readonly code?: string;
  /** The host that was looked up or called, if the error names it. */
  readonly host?: string;
}

/** Maximum number of errors to read. Causes nest, and a connection to several addresses gives a list of errors. */
const maxErrors = 12;

/** The shape of codes. Other texts could contain anything. */
const codeShape = /^(?:[A-Z][A-Z0-9_/]{1,60}|ZSTD_error_[A-Za-z_]{1,40})$/;
const hostShape = /^[A-Za-z0-9._:[\]-]{1,253}$/;

export function readThrownFacts(error: unknown): ThrownFacts {
  const errors = unfold(error);
  const codes = errors.flatMap((each) => codesOf(each));
  const code = codes.at(-1);
  const host = errors.map((each) => hostOf(each)).find((text) => text !== undefined);
  return {
    names: errors.flatMap((each) => readString(each, "name") ?? []),
    codes,
    messages: errors.flatMap((each) => readString(each, "message") ?? []),
    ...(code === undefined ? {} : { code }),
    ...(host === undefined ? {} : { host }),
  };
}

/** Returns the error and its causes, outermost first. */
function unfold(error: unknown): readonly Fields[] {
  const found: Fields[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.length < maxErrors) {
    const next = queue.shift();
    if (!isFields(next) || found.includes(next)) continue;
    found.push(next);
    queue.push(next["cause"], ...(Array.isArray(next["errors"]) ? next["errors"] : []));
  }
  return found;
}

/** Returns Node's `code`, or Chromium's `net::ERR_...` from the message. */
function codesOf(error: Fields): readonly string[] {
  const code = readString(error, "code");
  const net = /\bnet::(ERR_[A-Z0-9_]+)/.exec(readString(error, "message") ?? "")?.[1];
  return [code, net].filter((text) => text !== undefined && codeShape.test(text)).map(String);
}

function hostOf(error: Fields): string | undefined {
  const host = readString(error, "hostname") ?? readString(error, "host") ?? readString(error, "address");
  return host !== undefined && hostShape.test(host) ? host : undefined;
}

/** Thrown if there was no connection. Nothing was sent, so another transport may try the request. */
export class NotConnectedError extends FailureError {
  constructor(failure: Failure) {
    super(failure);
    this.name = "NotConnectedError";
  }
}

/** Codes of Node and Chromium for a failed connection attempt. */
const unconnected =
  /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|ERR_NAME_(?:NOT_RESOLVED|RESOLUTION_FAILED)|ERR_CONNECTION_(?:REFUSED|FAILED)|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED)$/;

/**
 * Whether the failure means that no connection was made, for transports without `NotConnectedError`. Otherwise the
 * request may have been sent.
 */
export function isUnconnected(failure: Failure): boolean {
  if (failure.kind === "network") return unconnected.test(failure.code);
  if (failure.kind === "timeout") return failure.phase === "connect";
  return failure.kind === "tls" || failure.kind === "proxy";
}
