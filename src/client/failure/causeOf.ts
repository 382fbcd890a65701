import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import type { Cause } from "./cause.ts";
import {
  causeOfStatus,
  firstCause,
  normaliseCode,
  normaliseMessage,
  normaliseText,
  statuslessCodes,
  strongCodes,
  weakCodes,
} from "./causeRules.ts";
import {
  behindGateway,
  decisiveMessages,
  downMessages,
  messages,
  quotaSpent,
  tokensTooLarge,
} from "./causeMessages.ts";
import { translatedMessages } from "./causeTranslations.ts";
import { causeOfPlain, type Failure } from "./failure.ts";

type Refused = Extract<Failure, { kind: "refused" }>;
type Redirect = Extract<Failure, { kind: "redirect" }>;
type Unreadable = Extract<Failure, { kind: "unreadable" }>;

/** Returns the cause of a failure, based only on its facts (wire.md, "Conditions"). */
export function causeOf(failure: Failure): Cause {
  switch (failure.kind) {
    case "refused":
      return causeOfRefused(failure);
    case "redirect":
      return causeOfRedirect(failure);
    case "unreadable":
      return causeOfUnreadable(failure);
    case "stream-error":
      return causeOfError(failure.error, failure.error.status) ?? "unknown";
    case "key":
    case "key-seal":
    case "header":
    case "address":
    case "filtered":
    case "interrupted":
    case "network":
    case "tls":
    case "proxy":
    case "timeout":
    case "cancelled":
    case "unknown":
      return causeOfPlain(failure);
  }
}

function causeOfRefused(failure: Refused): Cause {
  if (failure.bodyKind === "html") return causeOfPage(failure);
  return causeOfError(failure.error, failure.error.status ?? failure.status) ?? "unknown";
}

/**
 * Tries in this order: decisive messages, clear codes, other messages, the title of an error page, ambiguous codes, the
 * status. The status is last because it often misleads. Returns the first match, except for a 5xx error about a key of
 * the gateway.
 */
function causeOfError(error: ErrorBody, status: number | undefined): Cause | undefined {
  const codes = [error.code, error.type].filter((code) => code !== undefined).map(normaliseCode);
  const { message, page } = normaliseMessage(error.message ?? "");
  const told =
    firstCause(decisiveMessages, [message]) ??
    firstCause(strongCodes, codes) ??
    (status === 413 ? firstCause(tokensTooLarge, [message]) : undefined) ??
    firstCause(messages, [message]) ??
    firstCause(translatedMessages, [message]) ??
    (status === 429 || (status ?? 0) >= 500 ? undefined : firstCause(quotaSpent, [message]));
  if (status !== undefined && status >= 500 && isKeyOfGateway(told, [message, ...codes]))
    return "server-error";
  return (
    told ??
    (page === undefined ? undefined : causeOfTitle(page)) ??
    firstCause(weakCodes, codes) ??
    (status === undefined || status < 400 ? firstCause(statuslessCodes, codes) : causeOfStatus(status))
  );
}

/** Whether a 5xx error concerns a key of the gateway. A failing service has not checked the user's key. */
function isKeyOfGateway(told: Cause | undefined, texts: readonly string[]): boolean {
  return told === "empty-key" || (told === "invalid-key" && texts.some((text) => behindGateway.test(text)));
}

/**
 * Reads the status from the title of an upstream page that replaces the message. Without a status, returns
 * `server-error`.
 */
function causeOfTitle(page: string): Cause | undefined {
  const status = /<title>\s*(\d{3})\b/i.exec(page)?.[1];
  return status === undefined ? "server-error" : causeOfStatus(Number(status));
}

/** Names of proxies in the `server` header. */
const proxyServer = /squid|zscaler|blue ?coat|mcafee|web gateway|forti|sophos|barracuda|netskope|websense/i;

/** Statuses that are reliable even with a page as the body: the service's front end sends them. */
const honestPage = new Set([400, 402, 407, 408, 413, 414, 429, 431]);

/** Returns the cause of a failure with a page. A page for 401, 403 or 404 is a website, a login or a filter. */
function causeOfPage(failure: Refused): Cause {
  const said = normaliseText(failure.bodyStart ?? "");
  if (firstCause(decisiveMessages, [said]) === "tls") return "tls";
  if (firstCause(downMessages, [said]) !== undefined) return "server-error";
  if (proxyServer.test(failure.server ?? "")) return "proxy";
  if (failure.status >= 500 || honestPage.has(failure.status)) return causeOfStatus(failure.status);
  return "not-an-api";
}

/** A redirect within the same origin means a wrong path. */
function causeOfRedirect(failure: Redirect): Cause {
  if (failure.origin === undefined || failure.location === undefined) return "wrong-host";
  return URL.parse(failure.location)?.origin === failure.origin ? "wrong-path" : "wrong-host";
}

function causeOfUnreadable(failure: Unreadable): Cause {
  if (failure.bodyKind === "event") return "unknown";
  if (["too-large", "large-headers", "malformed"].includes(failure.bodyKind)) return "server-error";
  if (failure.bodyKind !== "text") return "not-an-api";
  return firstCause(messages, [failure.bodyStart ?? ""]) === "wrong-path" ? "wrong-path" : "not-an-api";
}
