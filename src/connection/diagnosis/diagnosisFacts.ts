import { capRefused } from "../../client/failure/causeMessages.ts";
import { normaliseMessage } from "../../client/failure/causeRules.ts";
import type { Failure } from "../../client/failure/failure.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { readExpiry } from "../setup/expiry.ts";
import { redact, redactRest } from "../redaction/redaction.ts";
import type { Translate } from "../../text/translate.ts";

/** Known circumstances of a failure. They improve the diagnosis, but all are optional. */
export interface DiagnosisContext {
  /** Scheme, host and port of the request. */
  readonly origin?: string | undefined;
  readonly model?: string | undefined;
  /** The environment variable that contains the key. */
  readonly keyVariable?: string | undefined;
  /** The key's expiration date, as an ISO date. */
  readonly expires?: string | undefined;
  /**
   * `accepted`: the service accepted the key in this window. `new`: the key or its base URL is new and has not been
   * accepted yet.
   */
  readonly keyHistory?: "accepted" | "new" | undefined;
  /** Current time in milliseconds since 1970. */
  readonly now?: number | undefined;
  /** Texts that must not be displayed, such as the request's key. */
  readonly secrets?: readonly string[] | undefined;
}

/** Everything that a diagnosis needs about a failure. `line`, `rest` and `pageTitle` are redacted. */
export interface Facts {
  readonly failure: Failure;
  readonly context: DiagnosisContext;
  /** Host and port of the origin; undefined if the origin is unknown. */
  readonly host: string | undefined;
  readonly status: number | undefined;
  readonly error: ErrorBody;
  /** The first line of the server's message. */
  readonly line: string | undefined;
  /** The next lines of the server's message, up to a maximum. */
  readonly rest: readonly string[];
  readonly pageTitle: string | undefined;
  readonly pageKind: PageKind | undefined;
  /** The connection's expiration date, if it has passed. */
  readonly expired: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the server refused the token limit (`maxTokens`), and the maximum that the server named, if any. */
  readonly isCapRefused: boolean;
  readonly capLimit: number | undefined;
  /** Seconds that the server asks to wait, rounded up. */
  readonly waitSeconds: number | undefined;
}

export function readFacts(failure: Failure, context: DiagnosisContext): Facts {
  const clean = (text: string | undefined): string | undefined => {
    const line = text === undefined ? "" : redact(text, context.secrets);
    return line === "" ? undefined : line;
  };
  const error = "error" in failure ? failure.error : {};
  const page = pageOf(failure);
  const requestId = "requestId" in failure ? failure.requestId : undefined;
  const message = normaliseMessage(error.message ?? "").message;
  const isCapRefused = capRefused.test(message);
  const waitMs = failure.kind === "refused" ? failure.retryAfterMs : undefined;
  return {
    failure,
    context,
    host: hostOf(context.origin),
    status: "status" in failure ? failure.status : undefined,
    error,
    line: clean(textOf(failure)),
    rest: redactRest(textOf(failure) ?? "", context.secrets),
    pageTitle: clean(readPageTitle(page ?? "")),
    pageKind:
      page === undefined ? undefined : readPageKind(page, "status" in failure ? failure.status : undefined),
    expired: isPast(context) ? context.expires : undefined,
    requestId: requestId === undefined ? undefined : withoutSecrets(requestId, context.secrets),
    isCapRefused,
    capLimit: isCapRefused ? readCapLimit(message) : undefined,
    waitSeconds: waitMs === undefined ? undefined : Math.ceil(waitMs / 1000),
  };
}

/** Returns the request ID unchanged, unless it contains the key. */
function withoutSecrets(requestId: string, secrets: readonly string[] = []): string {
  return secrets.some((secret) => secret !== "" && requestId.includes(secret))
    ? redact(requestId, secrets)
    : requestId;
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}

/** Returns the server's own description of the error, unless the answer is an HTML page. */
function textOf(failure: Failure): string | undefined {
  switch (failure.kind) {
    case "refused":
    case "stream-error":
      return failure.error.message;
    case "unreadable":
      return failure.bodyKind === "html" ? undefined : failure.bodyStart;
    case "filtered":
      return failure.explanation;
    case "redirect":
    case "interrupted":
    case "network":
    case "tls":
    case "proxy":
    case "timeout":
    case "key":
    case "key-seal":
    case "header":
    case "address":
    case "cancelled":
    case "unknown":
      return undefined;
  }
}

function pageOf(failure: Failure): string | undefined {
  const isPage = (failure.kind === "refused" || failure.kind === "unreadable") && failure.bodyKind === "html";
  return isPage ? (failure.bodyStart ?? "") : undefined;
}

/** Returns the number after words such as "at most", after ">", or at the end of a range. */
function readCapLimit(message: string): number | undefined {
  const pattern =
    /(?:at most|less than or equal to|<=|≤|up to|maximum (?:allowed |value )?(?:\w+ ){0,4}(?:is|of)|limit (?:of|is)|>|\[\d+, ?) ?['"`]?(\d{2,7})\b/i;
  const digits = pattern.exec(message)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function isPast({ expires, now }: DiagnosisContext): boolean {
  if (expires === undefined || now === undefined) return false;
  return readExpiry(expires, new Date(now))?.kind === "expired";
}

/** The kind of an HTML page that arrived instead of an answer. */
type PageKind = "sign-in" | "blocked" | "gateway-error" | "web-site";

/** Matches the page of a firewall, in several languages. */
const blocked =
  /captcha|just a moment|verifying you are human|attention required|access denied|restrict access|blocked|zugriff verweigert|blockiert|gesperrt|accès refusé|bloqué|acceso denegado|acesso negado|bloquead|访问被拒绝|拦截|アクセスが拒否|ブロックされ|접근이? ?(?:거부|차단)|доступ запрещ|заблокирован/i;

const signIn =
  /type=["']?password|log ?[io]n\b|sign ?[io]n\b|single sign|captive portal|connect to the internet|anmeld|einloggen|portail captif|connectez-vous|vous connecter|se connecter|inici(?:ar|e) sesi[oó]n|fa(?:zer|ça) login|登录|登陆|ログイン|サインイン|로그인|войдите|авторизац/i;

const gatewayError =
  /^\s*(?:error |fehler |erreur |erro )?[45]\d\d\b|gateway|error|cannot (?:get|post)|could not be retrieved|not found|nicht gefunden|introuvable|no encontrad|não encontrad|不存在|未找到|找不到|見つかりません|찾을 수 없|не найден/i;

/** Returns the text of the page's title, or undefined. */
function readPageTitle(page: string): string | undefined {
  return /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
}

/** Determines the kind of a page from its text and title. */
function readPageKind(page: string, status?: number): PageKind {
  // A proxy uses this status to request a sign-in.
  if (status === 407) return "sign-in";
  if (blocked.test(page)) return "blocked";
  if (signIn.test(page)) return "sign-in";
  const title = readPageTitle(page) ?? "";
  return gatewayError.test(title === "" ? page : title) ? "gateway-error" : "web-site";
}

/** Formats a duration in a readable unit, rounded up: `34 s`, `12 minutes`, `3 hours`. */
export function durationText(seconds: number, t: Translate): string {
  if (seconds <= 90) return t("{0} s", seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return t("{0} minutes", minutes);
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? t("{0} hours", hours) : t("{0} days", Math.ceil(hours / 24));
}
