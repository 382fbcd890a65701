import { InferenceError } from "../failure/failure.ts";
import type { Failure } from "../failure/failure.ts";
import { type Cause, causeTraits } from "../failure/cause.ts";

/** An attempt failed, and the next one is scheduled. */
export interface RetryNotice {
  readonly error: InferenceError;
  /** Number of the next attempt, from 2. */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly of: number;
  readonly waitMs: number;
  /** Ends the delay and starts the next attempt immediately. */
  readonly retryNow: () => void;
}

const nothing = (): void => undefined;

/** Called when a retry delay begins. */
export type OnRetry = (notice: RetryNotice) => void;

/**
 * Runs `work`, and retries it as `retryWaitMs` decides.
 * @param work calls `onPiece` for each received piece; after a piece there is no retry
 * @throws InferenceError of the last attempt; `cancelled` if the signal was aborted, also during a delay
 */
export async function withRetries<T>(
  work: (onPiece: () => void) => Promise<T>,
  onRetry: OnRetry,
  signal: AbortSignal,
): Promise<T> {
  let pieces = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(() => (pieces += 1));
    } catch (error) {
      if (pieces > 0) throw error;
      await waitAfter(error, attempt, onRetry, signal);
      if (signal.aborted) throw new InferenceError({ kind: "cancelled" });
    }
  }
}

/** Resolves when the next attempt is due or the signal is aborted. Rejects with the error if there is no retry. */
async function waitAfter(
  error: unknown,
  attempt: number,
  onRetry: OnRetry,
  signal: AbortSignal,
): Promise<void> {
  if (!(error instanceof InferenceError)) throw error;
  const waitMs = retryWaitMs(error.failure, error.cause, attempt, Math.random());
  if (waitMs === undefined) throw error;
  let end = nothing;
  const over = new Promise<void>((resolve) => {
    end = () => resolve();
  });
  const timer = setTimeout(end, waitMs);
  signal.addEventListener("abort", end);
  try {
    onRetry({ error, attempt: attempt + 1, of: maxAttempts, waitMs, retryNow: end });
    if (!signal.aborted) await over;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** Maximum number of attempts, including the first (wire.md, "Waiting"). */
export const maxAttempts = 3;
/** Maximum delay in milliseconds. If the service asks for a longer one, there is no automatic retry. */
const maxWaitMs = 60_000;
const firstWaitMs = 500;
const maxOwnWaitMs = 8000;
/** A connection that breaks within this time was probably idle before, and the server had just closed it. */
const maxIdleBreakMs = 5000;

/**
 * Returns the delay before a failed request is retried, in milliseconds; undefined for no retry. Follows the SDKs of
 * both styles (wire.md, "Waiting"): retries 408, 409, 429, 5xx and connection errors. `x-should-retry` overrides that.
 * Uses the delay that the service asks for, or else 0.5 s, doubling up to 8 s, with jitter.
 *
 * Differs from the SDKs if a retry would do harm:
 * - Problems that only a person can fix are never retried, even if the service asks for it: key, budget, model,
 *   content, address.
 * - After a success status, an answer is never requested again, because it may have been billed.
 * - A timeout is only retried if nothing was sent (connect, 522) or the request was incomplete (408). Otherwise the
 *   service may still be working and bill each attempt.
 *
 * A connection that broke early, before the head of the answer, is retried as in the SDKs. Usually the server had just
 * closed an idle connection. After a later break, the service may have been working on the request.
 *
 * @param attempt number of the failed attempt, from 1
 * @param random from 0 to 1
 */
export function retryWaitMs(
  failure: Failure,
  cause: Cause,
  attempt: number,
  random: number,
): number | undefined {
  if (attempt >= maxAttempts || !causeTraits[cause].mayPass || !isRetried(failure, cause)) return undefined;
  const asked = failure.kind === "refused" ? failure.retryAfterMs : undefined;
  if (asked !== undefined) return asked <= maxWaitMs ? asked : undefined;
  return Math.min(firstWaitMs * 2 ** (attempt - 1), maxOwnWaitMs) * (1 - random / 4);
}

function isRetried(failure: Failure, cause: Cause): boolean {
  switch (failure.kind) {
    case "refused":
      return failure.status >= 400 && (failure.shouldRetry ?? isRetriedStatus(failure.status, cause));
    case "network":
      return (failure.brokeAfterMs ?? 0) <= maxIdleBreakMs;
    case "timeout":
      return failure.phase === "connect";
    case "redirect":
    case "unreadable":
    case "stream-error":
    case "filtered":
    case "interrupted":
    case "tls":
    case "proxy":
    case "key":
    case "key-seal":
    case "header":
    case "address":
    case "cancelled":
    case "unknown":
      return false;
  }
}

function isRetriedStatus(status: number, cause: Cause): boolean {
  if (cause === "timeout") return status === 408 || status === 522;
  if (cause === "bad-request") return status === 409;
  return status === 409 || status === 429 || status >= 500;
}
