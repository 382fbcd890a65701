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

/** Names the cause of a failure, from its facts alone (wire.md, "Conditions"). */
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

/** Types and codes first, then what the message says, then the status, which alone misleads. */
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

/** A service that fails has not looked at the key: what it misses, or what another service rejects, is its own. */
function isKeyOfGateway(told: Cause | undefined, texts: readonly string[]): boolean {
  return told === "empty-key" || (told === "invalid-key" && texts.some((text) => behindGateway.test(text)));
}

/** An upstream's page in the place of a sentence says its status in its title. */
function causeOfTitle(page: string): Cause | undefined {
  const status = /<title>\s*(\d{3})\b/i.exec(page)?.[1];
  return status === undefined ? "server-error" : causeOfStatus(Number(status));
}

/** Marks of a proxy between here and the service, in its `server` header. */
const proxyServer = /squid|zscaler|blue ?coat|mcafee|web gateway|forti|sophos|barracuda|netskope|websense/i;

/** Statuses that a page does not speak against: the service's front said them. */
const honestPage = new Set([400, 402, 407, 408, 413, 414, 429, 431]);

/** A page on 401, 403 or 404 is a web site, a login or a filter, whatever its status means elsewhere. */
function causeOfPage(failure: Refused): Cause {
  const said = normaliseText(failure.bodyStart ?? "");
  if (firstCause(decisiveMessages, [said]) === "tls") return "tls";
  if (firstCause(downMessages, [said]) !== undefined) return "server-error";
  if (proxyServer.test(failure.server ?? "")) return "proxy";
  if (failure.status >= 500 || honestPage.has(failure.status)) return causeOfStatus(failure.status);
  return "not-an-api";
}

/** Within the origin that was asked only the path can be wrong. */
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
