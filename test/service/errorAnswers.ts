import type { Style } from "./style.ts";

interface Wording {
  readonly status: number;
  /** `error.type` and `error.code` of a chat-completions body. */
  readonly chat: readonly [type: string, code: string | null];
  /** `error.type` of a messages body. The style has no code: the message tells causes apart. */
  readonly messages: string;
}

/**
 * The specification leaves statuses and bodies open (section 7): these are the service's own. The messages style
 * has few types, so its causes differ by status and message.
 */
const wordings = {
  "missing-key": { status: 401, chat: ["invalid_request_error", null], messages: "authentication_error" },
  "malformed-key": {
    status: 401,
    chat: ["invalid_request_error", "malformed_api_key"],
    messages: "authentication_error",
  },
  "unknown-key": {
    status: 401,
    chat: ["invalid_request_error", "invalid_api_key"],
    messages: "authentication_error",
  },
  "revoked-key": {
    status: 403,
    chat: ["permission_error", "revoked_api_key"],
    messages: "permission_error",
  },
  "expired-key": {
    status: 401,
    chat: ["invalid_request_error", "expired_key"],
    messages: "authentication_error",
  },
  "budget-exhausted": {
    status: 429,
    chat: ["insufficient_quota", "insufficient_quota"],
    messages: "billing_error",
  },
  "model-not-allowed": {
    status: 403,
    chat: ["permission_error", "key_model_access_denied"],
    messages: "permission_error",
  },
  "model-not-found": {
    status: 404,
    chat: ["invalid_request_error", "model_not_found"],
    messages: "not_found_error",
  },
  "malformed-json": { status: 400, chat: ["invalid_request_error", null], messages: "invalid_request_error" },
  "missing-field": {
    status: 400,
    chat: ["invalid_request_error", "missing_required_parameter"],
    messages: "invalid_request_error",
  },
  "wrong-type": {
    status: 400,
    chat: ["invalid_request_error", "invalid_type"],
    messages: "invalid_request_error",
  },
  "out-of-range": {
    status: 400,
    chat: ["invalid_request_error", "invalid_value"],
    messages: "invalid_request_error",
  },
  "unsupported-field": {
    status: 400,
    chat: ["invalid_request_error", "unsupported_parameter"],
    messages: "invalid_request_error",
  },
  "unknown-path": {
    status: 404,
    chat: ["invalid_request_error", "unknown_url"],
    messages: "not_found_error",
  },
  "wrong-method": {
    status: 405,
    chat: ["invalid_request_error", "method_not_allowed"],
    messages: "invalid_request_error",
  },
  "wrong-content-type": {
    status: 415,
    chat: ["invalid_request_error", "unsupported_content_type"],
    messages: "invalid_request_error",
  },
  "body-too-large": {
    status: 413,
    chat: ["invalid_request_error", "request_too_large"],
    messages: "request_too_large",
  },
  "upstream-failed": { status: 502, chat: ["server_error", "upstream_failed"], messages: "api_error" },
  "internal-error": { status: 500, chat: ["server_error", "internal_error"], messages: "api_error" },
} as const satisfies Record<string, Wording>;

export type RefusalKind = keyof typeof wordings;

/** The reason why the service refuses a request. The client receives the message. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly status: number;
  /** The rejected request field, for example `messages.0.content`. */
  readonly parameter: string | undefined;

  constructor(kind: RefusalKind, message: string, parameter?: string) {
    super(message);
    this.name = "Refusal";
    this.kind = kind;
    this.status = wordings[kind].status;
    this.parameter = parameter;
  }
}

/** Returns the body of a refusal in the format of the client's style. */
export function refusalBody(refusal: Refusal, style: Style, requestId: string): object {
  const wording: Wording = wordings[refusal.kind];
  if (style === "messages") {
    return {
      type: "error",
      error: { type: wording.messages, message: refusal.message },
      request_id: requestId,
    };
  }
  const [type, code] = wording.chat;
  return { error: { message: refusal.message, type, param: refusal.parameter ?? null, code } };
}
