import { capRefused } from "../../client/failure/causeMessages.ts";
import { normaliseMessage } from "../../client/failure/causeRules.ts";
import type { Failure } from "../../client/failure/failure.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { readExpiry } from "../setup/expiry.ts";
import { redact, redactRest } from "../redaction/redaction.ts";
import type { Translate } from "../../text/translate.ts";

/** What is known where a failure happened; it sharpens the diagnosis, and none of it is needed. */
export interface DiagnosisContext {
  /** Scheme, host and port that were called. */
  readonly origin?: string | undefined;
  readonly model?: string | undefined;
  /** Environment variable that the key is read from. */
  readonly keyVariable?: string | undefined;
  /** ISO date on which the key expires. */
  readonly expires?: string | undefined;
  /**
   * What this window saw of the key: it was accepted before, or it is new (or its address is) and was
   * not accepted since.
   */
  readonly keyHistory?: "accepted" | "new" | undefined;
  /** The clock, in milliseconds. */
  readonly now?: number | undefined;
  /** Texts that must not be shown, such as the key of the call. */
  readonly secrets?: readonly string[] | undefined;
}

/** Failure and context, read once for words and evidence. Texts are redacted. */
export interface Facts {
  readonly failure: Failure;
  readonly context: DiagnosisContext;
  /** `the service` where the origin is not known. */
  readonly host: string | undefined;
  readonly status: number | undefined;
  readonly error: ErrorBody;
  /** The server's own first line. */
  readonly line: string | undefined;
  /** Its further lines, the first few. */
  readonly rest: readonly string[];
  readonly pageTitle: string | undefined;
  readonly pageKind: PageKind | undefined;
  /** The connection's expiry date, where it is past. */
  readonly expired: string | undefined;
  readonly requestId: string | undefined;
  /** The cap on the answer's tokens was refused, and the most that the server names in its place. */
  readonly isCapRefused: boolean;
  readonly capLimit: number | undefined;
  /** Seconds the server asks to wait, rounded up. */
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

/** An ID is shown as it is, unless a server put the key into it. */
function withoutSecrets(requestId: string, secrets: readonly string[] = []): string {
  return secrets.some((secret) => secret !== "" && requestId.includes(secret))
    ? redact(requestId, secrets)
    : requestId;
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}

/** The text in which a server says what is wrong, where it is no page. */
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

/** The number behind "at most", in a range, or behind the sign that the cap is above it. */
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

/** What a page in the place of an answer is. */
type PageKind = "sign-in" | "blocked" | "gateway-error" | "web-site";

/** Pages come in the language of those they are meant for. */
const blocked =
  /captcha|just a moment|verifying you are human|attention required|access denied|restrict access|blocked|zugriff verweigert|blockiert|gesperrt|accès refusé|bloqué|acceso denegado|acesso negado|bloquead|访问被拒绝|拦截|アクセスが拒否|ブロックされ|접근이? ?(?:거부|차단)|доступ запрещ|заблокирован/i;

const signIn =
  /type=["']?password|log ?[io]n\b|sign ?[io]n\b|single sign|captive portal|connect to the internet|anmeld|einloggen|portail captif|connectez-vous|vous connecter|se connecter|inici(?:ar|e) sesi[oó]n|fa(?:zer|ça) login|登录|登陆|ログイン|サインイン|로그인|войдите|авторизац/i;

const gatewayError =
  /^\s*(?:error |fehler |erreur |erro )?[45]\d\d\b|gateway|error|cannot (?:get|post)|could not be retrieved|not found|nicht gefunden|introuvable|no encontrad|não encontrad|不存在|未找到|找不到|見つかりません|찾을 수 없|не найден/i;

/** The text of the page's title; undefined where there is none. */
function readPageTitle(page: string): string | undefined {
  return /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
}

/** Names what a page is, by its words and its title. */
function readPageKind(page: string, status?: number): PageKind {
  // A proxy that wants a login says so by its status.
  if (status === 407) return "sign-in";
  if (blocked.test(page)) return "blocked";
  if (signIn.test(page)) return "sign-in";
  const title = readPageTitle(page) ?? "";
  return gatewayError.test(title === "" ? page : title) ? "gateway-error" : "web-site";
}

/** A time to wait in the unit a person would use, rounded up: `34 s`, `12 minutes`, `3 hours`. */
export function durationText(seconds: number, t: Translate): string {
  if (seconds <= 90) return t("{0} s", seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return t("{0} minutes", minutes);
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? t("{0} hours", hours) : t("{0} days", Math.ceil(hours / 24));
}
