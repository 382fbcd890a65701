import type { Cause } from "./cause.ts";

/** A cause and the pattern that indicates it. In tables, the first matching rule wins. */
export interface CauseRule {
  readonly cause: Cause;
  readonly pattern: RegExp;
}

/** Returns the cause of the first rule that matches one of the texts. */
export function firstCause(rules: readonly CauseRule[], texts: readonly string[]): Cause | undefined {
  return rules.find(({ pattern }) => texts.some((text) => pattern.test(text)))?.cause;
}

/**
 * Converts codes such as `InvalidApiKey`, `Throttling.RateQuota` and `RESOURCE_EXHAUSTED` to lower case with
 * underscores.
 */
export function normaliseCode(code: string): string {
  return code
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
}

const maxMessageLength = 4000;

/** Normalizes quotes, hyphens, widths, dotted I and "not", so that a rule needs only one form of each. */
export function normaliseText(text: string): string {
  return (
    text
      .slice(0, maxMessageLength)
      .normalize("NFKC")
      // The default lower case of dotted I is not a plain i.
      .replace(/\u0130/g, "i")
      .replace(/[\u2018\u2019\u201a\u201b\u02bc\u2032\u00b4]/g, "'")
      .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/\bcan't\b/gi, "cannot")
      .replace(/(?<=\w)n't\b/gi, " not")
  );
}

/** Returns the message without an HTML page or a stack trace, which contain misleading words. */
export function normaliseMessage(text: string): { readonly message: string; readonly page?: string } {
  const whole = normaliseText(text);
  const page = /<(?:!doctype html|html)\b[^]*/i.exec(whole)?.[0];
  const message = whole.slice(0, whole.length - (page ?? "").length);
  const trace = message.search(/\btraceback \(most recent call last\)|\n\s+at \S+ ?\(/i);
  // If no text precedes the trace, use the whole message.
  const told = trace > 0 && message.slice(0, trace).trim() !== "" ? message.slice(0, trace) : message;
  return { message: told, ...(page === undefined ? {} : { page }) };
}

/** Types and codes that determine the cause, regardless of the message. */
export const strongCodes: readonly CauseRule[] = [
  {
    cause: "expired-key",
    pattern: /^(?:expired_(?:api_)?key|(?:api_)?(?:key|token)_expired|expired_token(?:_exception)?)$/,
  },
  {
    cause: "revoked-key",
    pattern:
      /^(?:(?:api_)?key_(?:blocked|revoked|disabled|inactive)|revoked_(?:api_)?key|(?:account|user|organization)_(?:deactivated|disabled|suspended|banned))$/,
  },
  {
    cause: "invalid-key",
    pattern: /^(?:token_not_found_in_db|incorrect_auth_key|40102)$/,
  },
  {
    cause: "budget-exhausted",
    pattern:
      /^(?:(?:\w+_)?budget_exceeded|insufficient_(?:\w+_)?(?:quota|credits?|balance|funds)|billing_\w+|exceeded_current_quota\w*|(?:(?:provider|user|account|daily|monthly)_)?quota_(?:exceeded|exhausted)|credits?_exhausted|out_of_credits|payment_required\w*|arrearage|account_overdue\w*|pre_consume_token_quota_failed|42902)$/,
  },
  // The IP address, the country or the whole service is blocked: key, model and budget are not the problem.
  {
    cause: "unknown",
    pattern:
      /^(?:ip_(?:address_)?(?:not_\w+|blocked|denied|forbidden|restricted)|unsupported_country\w*|service_disabled|api_key_\w+_blocked)$/,
  },
  {
    cause: "model-not-allowed",
    pattern: /^(?:(?:\w+_)?model_access_denied|model_(?:not_allowed|not_open|access_denied|permission_\w+))$/,
  },
  {
    cause: "model-not-found",
    pattern:
      /^(?:(?:\w+_)?model_not_(?:found|exists?|available|supported)|(?:invalid|unknown|unsupported|unavailable)_model\w*|model_(?:decommissioned|deprecated|unavailable)|deployment_not_found|provider_not_found|40301)$/,
  },
  {
    cause: "context-length",
    pattern:
      /^(?:context_length_exceeded|exceed_context_size\w*|context_(?:window|size|length)_\w+|context_overflow|(?:prompt|input|prompt_is)_too_long|string_above_max_length|40303)$/,
  },
  {
    cause: "content-filtered",
    pattern:
      /^(?:content_(?:filter|policy|moderation|blocked)\w*|refusal|responsible_ai_policy_violation|data_inspection_failed|moderation\w*|(?:\w+_)?sensitive_\w+|censor\w*|hooks_failed|guardrail\w*|safety_\w+|prohibited_content)$/,
  },
  {
    cause: "overloaded",
    pattern:
      /^(?:(?:\w+_)?overloaded(?:_error)?|unavailable(?:_error)?|service_unavailable\w*|slow_down|over_capacity|(?:\w+_)?capacity_exceeded|(?:model_)?loading|42903)$/,
  },
  {
    cause: "rate-limited",
    pattern:
      /^(?:(?:\w+_)?rate_limit\w*|(?:tokens?|requests?)_quota_exceeded|too_many_requests\w*|throttl(?:ing|ed)\w*|resource_exhausted|requests|tokens|42901)$/,
  },
  { cause: "timeout", pattern: /^(?:\w+_)?(?:timeout(?:_error)?|time_out|deadline_exceeded)$/ },
  {
    cause: "wrong-path",
    pattern:
      /^(?:(?:unknown|invalid)_url|(?:route|endpoint|path)_not_found|method_not_allowed|unsupported_endpoint)$/,
  },
  {
    cause: "bad-request",
    pattern:
      /^(?:(?:unsupported|unknown|missing_required)_(?:parameter|value)|extra_forbidden|unrecognized_keys?|invalid_type)$/,
  },
];

/** Ambiguous types and codes. A clear message takes precedence. */
export const weakCodes: readonly CauseRule[] = [
  {
    cause: "invalid-key",
    pattern:
      /^(?:auth(?:entication|orization)_error|auth(?:entication|orization)?_(?:failed|failure|required)|(?:invalid|incorrect|wrong)_(?:api_?key|auth\w*|token|credentials?)|api_key_invalid|unauthorized|unauthenticated|unrecognized_client\w*|40101)$/,
  },
  {
    cause: "model-not-allowed",
    pattern: /^(?:permission_(?:denied_)?error|permission_denied|access_denied\w*)$/,
  },
  { cause: "model-not-found", pattern: /^not_found(?:_error)?$/ },
];

/** Types and codes of errors without a status, such as those inside a stream. */
export const statuslessCodes: readonly CauseRule[] = [
  // A gateway uses this code for an unknown key and for missing permissions of a known key.
  { cause: "invalid-key", pattern: /^auth_error$/ },
  {
    cause: "bad-request",
    pattern:
      /^(?:invalid_(?:request|parameter|argument|input|value)\w*|bad_request\w*|validation_error|request_too_large|unprocessable\w*)$/,
  },
  {
    cause: "server-error",
    pattern:
      /^(?:(?:\w+_)?server_error|api_error|internal\w*|upstream_\w+|bad_response\w*|(?:do_request|read_response\w*|get_channel)_failed|provider_\w+|model_error|generation_\w+|finish_reason_error)$/,
  },
];

const causesByStatus: Readonly<Record<number, Cause>> = {
  401: "invalid-key",
  402: "budget-exhausted",
  403: "unknown",
  404: "wrong-path",
  405: "wrong-path",
  407: "proxy",
  408: "timeout",
  410: "wrong-path",
  421: "wrong-host",
  424: "server-error",
  429: "rate-limited",
  446: "content-filtered",
  451: "unknown",
  503: "overloaded",
  504: "timeout",
  522: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** Returns the cause if only the status is known. */
export function causeOfStatus(status: number): Cause {
  const known = causesByStatus[status];
  if (known !== undefined) return known;
  if (status >= 500) return "server-error";
  return status >= 400 ? "bad-request" : "unknown";
}
