import { maxAttempts } from "../../../src/client/request/retrying.ts";
import type { Failure } from "../../../src/client/failure/failure.ts";
import type { TimeLimits } from "../../../src/client/http/transport.ts";
import type { Way } from "./site.ts";

/** A time limit; see `TimeLimits`. */
export type Limit = "connect" | "headers" | "idle" | "total" | "closing";
export type Phase = Extract<Failure, { kind: "timeout" }>["phase"];

/** Milliseconds; long enough that no limit ends a request without a fault, even on a busy machine. */
export const fullLimits: TimeLimits = {
  connectMs: 5000,
  headersMs: 12_000,
  idleMs: 12_000,
  totalMs: 30_000,
  closingMs: 12_000,
};

/** Milliseconds, by the limit that a fault should run into. Limits that are not named here stay full. */
const briefLimits: Readonly<Record<Limit, Partial<TimeLimits>>> = {
  // `fetch` applies only the sum of these two.
  connect: { connectMs: 300, headersMs: 150 },
  headers: { connectMs: 1000, headersMs: 150 },
  idle: { idleMs: 150 },
  total: { totalMs: 2000 },
  closing: { closingMs: 100 },
};

/** Milliseconds of tolerance: undici checks its timers twice a second, and the machine may be busy. */
export const slackMs = 5000;
/** Milliseconds; less than the 4 s after which undici closes an unused connection. */
export const unusedMs = 3000;
/**
 * Maximum milliseconds for a flow whose fault names no limit. A flow that takes longer may have run into a full limit.
 * `slowMs` is for faults that take seconds, such as 256 MB of data.
 */
const quickMs = 5000;
const slowMs = 20_000;

export function limitsFor(limit: Limit | undefined): TimeLimits {
  return limit === undefined ? fullLimits : { ...fullLimits, ...briefLimits[limit] };
}

/** Milliseconds within which a fault with this limit ends, retries included. */
export function dueMs(limit: Limit | undefined, isSlow: boolean): number {
  if (limit === undefined) return isSlow ? slowMs : quickMs;
  const once = Object.values(briefLimits[limit]).reduce((sum, milliseconds) => sum + milliseconds, 0);
  return once * (limit === "connect" || limit === "closing" ? maxAttempts : 1);
}

/** The phase that the failure names for the limit; undefined if there is no limit or it causes no failure. */
export function phaseOf(limit: Limit | undefined, way: Way): Phase | undefined {
  if (limit === "connect") return way === "fetch" ? "headers" : limit;
  return limit === "closing" ? undefined : limit;
}

/** Maximum milliseconds until the client must have closed a connection that it no longer reads. */
export function leaveMs(limit: Limit | undefined, way: Way): number {
  // `fetch` cannot abort a connection that is still opening; its own timeout closes the connection.
  return slackMs + (limit === "connect" && way === "fetch" ? 10_000 : 0);
}
