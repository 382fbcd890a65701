import { InferenceError } from "../failure/failure.ts";
import type { Failure } from "../failure/failure.ts";
import { type Cause, causeTraits } from "../failure/cause.ts";

/** A try has failed, and another one is waited for. */
export interface RetryNotice {
  readonly error: InferenceError;
  /** Which try comes next, from 2. */
  readonly attempt: number;
  /** How many tries there are at most. */
  readonly of: number;
  readonly waitMs: number;
  /** Ends the wait: the next try is made at once. */
  readonly retryNow: () => void;
}

const nothing = (): void => undefined;

/** Hears of each wait as it begins. */
export type OnRetry = (notice: RetryNotice) => void;

/**
 * Does the work, and again where `retryWaitMs` says so.
 * @param work calls `onPiece` with each piece that has come; after one there is no other try
 * @throws InferenceError of the last try; `cancelled` where the signal was aborted, also while waiting
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

/** Resolves when the next try is due, or the signal is aborted; rejects where there is no other try. */
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

/** The first try and two more (wire.md, "Waiting"). */
export const maxAttempts = 3;
/** A longer wait that a server asks for is told, and left to the person. */
const maxWaitMs = 60_000;
const firstWaitMs = 500;
const maxOwnWaitMs = 8000;
/** Within it a connection that was idle shows that it is none any more. */
const maxIdleBreakMs = 5000;

/**
 * How long to wait before a failed request is sent once more, in milliseconds; undefined where it is
 * not. As the SDKs of both styles do it (wire.md, "Waiting"): 408, 409, 429, 5xx and connection errors,
 * `x-should-retry` overrides, the server's own wait is kept, else 0.5 s doubling to 8 s with jitter.
 *
 * Ours differs where a retry would do harm:
 * - Nothing that only a person can mend is tried again, whatever the server says: key, budget, model,
 *   content, address.
 * - An answer that had begun with a success status is never asked for again: it may have been billed.
 * - Nobody who has waited in vain for an answer to begin is made to wait twice more. The service may
 *   be at work on it still, and bill each try; so a timeout is tried again only where nothing was sent
 *   (to connect, 522), or where the server had not got it all (408).
 *
 * A connection that broke soon, before the answer's head, is tried again, as the SDKs do: mostly it was
 * an idle one that the server closed just then. One that broke later may have had the service at work.
 *
 * @param attempt which try has failed, from 1
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
