/** The causes of failure of the public interface; fixed ids. */
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
  "network",
  "proxy",
  "tls",
  "timeout",
  "interrupted",
  "cancelled",
  "unknown",
] as const;

export type Cause = (typeof causes)[number];

/** What follows from a cause without a word about it. What is said and done about it stands in `causeTable.ts`. */
interface CauseTraits {
  /** It can pass by itself, so that another try may help. */
  readonly mayPass: boolean;
  /** What it tells of: the key itself, the connection otherwise, or only the question or its answer. */
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
  // A conflict (409) passes; all others are left alone by their status.
  "bad-request": { mayPass: true, blames: "connection" },
  "context-length": { mayPass: false, blames: "question" },
  "content-filtered": { mayPass: false, blames: "question" },
  "wrong-host": { mayPass: false, blames: "connection" },
  "wrong-path": { mayPass: false, blames: "connection" },
  "not-an-api": { mayPass: false, blames: "connection" },
  "insecure-address": { mayPass: false, blames: "connection" },
  "key-origin-mismatch": { mayPass: false, blames: "key" },
  network: { mayPass: true, blames: "connection" },
  proxy: { mayPass: false, blames: "connection" },
  tls: { mayPass: false, blames: "connection" },
  timeout: { mayPass: true, blames: "connection" },
  interrupted: { mayPass: false, blames: "connection" },
  cancelled: { mayPass: false, blames: "question" },
  unknown: { mayPass: false, blames: "connection" },
};
