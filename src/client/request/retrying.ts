import { causeOf } from "../failure/causeOf.ts";
import { type Failure, InferenceError } from "../failure/failure.ts";
import { maxAttempts, retryWaitMs } from "./retryPolicy.ts";

/** A try has failed, and another one is waited for. */
export interface RetryNotice {
  readonly failure: Failure;
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
 * Does the work, and again where `retryPolicy.ts` says so.
 * @throws InferenceError of the last try; `cancelled` where the signal was aborted, also while waiting
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  onRetry: OnRetry,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      await waitAfter(error, attempt, onRetry, signal);
      if (signal.aborted) throw new InferenceError({ kind: "cancelled" });
    }
  }
}

/**
 * The same for what comes piece by piece; once a piece has come there is no other try. Ends quietly
 * when the signal is aborted, also while waiting.
 * @throws InferenceError of the last try
 */
export async function* streamWithRetries<T>(
  open: () => AsyncIterable<T>,
  onRetry: OnRetry,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    let begun = false;
    try {
      for await (const piece of open()) {
        begun = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (begun) throw error;
      await waitAfter(error, attempt, onRetry, signal);
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
  const { failure } = error;
  const waitMs = retryWaitMs(failure, causeOf(failure), attempt, Math.random());
  if (waitMs === undefined) throw error;
  let end = nothing;
  const over = new Promise<void>((resolve) => {
    end = () => resolve();
  });
  const timer = setTimeout(end, waitMs);
  signal.addEventListener("abort", end);
  try {
    onRetry({ failure, attempt: attempt + 1, of: maxAttempts, waitMs, retryNow: end });
    if (!signal.aborted) await over;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
