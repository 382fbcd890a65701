/** Causes of failure. Their IDs are public interface and must not change. */
export const causes = [
  "empty-key",
  "malformed-key",
  "not-a-key",
  "invalid-key",
  "revoked-key",
  "expired-key",
  "budget-exhausted",
  "model-not-allowed",
  "model-not-found",
  "rate-limited",
  "overloaded",
  "server-error",
  "bad-request",
  "context-length",
  "content-filtered",
  "wrong-host",
  "wrong-path",
  "not-an-api",
  "insecure-address",
  "key-origin-mismatch",
  "invalid-header",
  "network",
  "proxy",
  "tls",
  "timeout",
  "interrupted",
  "cancelled",
  "unknown",
] as const;

export type Cause = (typeof causes)[number];

/** Properties of a cause, without display text. Texts and actions are in `causeTable.ts`. */
interface CauseTraits {
  /** Whether the problem may pass by itself, so that a retry may help. */
  readonly mayPass: boolean;
  /** The source of the problem: the key, the rest of the connection, or only the question or its answer. */
  readonly blames: "key" | "connection" | "question";
}

export const causeTraits: Readonly<Record<Cause, CauseTraits>> = {
  "empty-key": { mayPass: false, blames: "key" },
  "malformed-key": { mayPass: false, blames: "key" },
  "not-a-key": { mayPass: false, blames: "key" },
  "invalid-key": { mayPass: false, blames: "key" },
  "revoked-key": { mayPass: false, blames: "key" },
  "expired-key": { mayPass: false, blames: "key" },
  "budget-exhausted": { mayPass: false, blames: "key" },
  "model-not-allowed": { mayPass: false, blames: "connection" },
  "model-not-found": { mayPass: false, blames: "connection" },
  "rate-limited": { mayPass: true, blames: "connection" },
  overloaded: { mayPass: true, blames: "connection" },
  "server-error": { mayPass: true, blames: "connection" },
  // A conflict (409) may pass. Other bad requests are not retried, because of their status.
  "bad-request": { mayPass: true, blames: "connection" },
  "context-length": { mayPass: false, blames: "question" },
  "content-filtered": { mayPass: false, blames: "question" },
  "wrong-host": { mayPass: false, blames: "connection" },
  "wrong-path": { mayPass: false, blames: "connection" },
  "not-an-api": { mayPass: false, blames: "connection" },
  "insecure-address": { mayPass: false, blames: "connection" },
  "key-origin-mismatch": { mayPass: false, blames: "key" },
  "invalid-header": { mayPass: false, blames: "connection" },
  network: { mayPass: true, blames: "connection" },
  proxy: { mayPass: false, blames: "connection" },
  tls: { mayPass: false, blames: "connection" },
  timeout: { mayPass: true, blames: "connection" },
  interrupted: { mayPass: false, blames: "connection" },
  cancelled: { mayPass: false, blames: "question" },
  unknown: { mayPass: false, blames: "connection" },
};
