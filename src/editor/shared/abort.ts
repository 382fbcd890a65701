import type * as vscode from "vscode";
import { setTimeout as wait } from "node:timers/promises";

/** Converts VS Code's cancellation token to an `AbortSignal`, which the layers below the editor layer use. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/**
 * Resolves to the result of the work, or to undefined once the signal is aborted. The work itself continues. Rejects if
 * the work rejects.
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    work.finally(() => signal.removeEventListener("abort", leave)).then(resolve, reject);
  });
}

interface TimeLimit {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** The error after this time. */
  readonly onTimeout: () => Error;
}

/**
 * Resolves to the result of the work. Rejects once the signal is aborted, or the time is over. Then it also
 * aborts the signal of the work, and does not wait for the work.
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, milliseconds, onTimeout }: TimeLimit,
): Promise<Result> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(onTimeout()), milliseconds);
  const follow = (): void => ending.abort(signal.reason);
  signal.addEventListener("abort", follow);
  try {
    const done = work(ending.signal).then((result) => ({ result }));
    const first = await untilAborted(done, ending.signal);
    if (first !== undefined) return first.result;
    throw ending.signal.reason;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", follow);
  }
}

/**
 * Resolves to true if `coming` resolves or `signal` is aborted within the time, and to false otherwise. Rejects if
 * `coming` rejects.
 */
export async function isOverWithin(
  coming: Promise<unknown>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const ending = new AbortController();
  const signals = signal === undefined ? [ending.signal] : [signal, ending.signal];
  const pause = wait(milliseconds, false, { signal: AbortSignal.any(signals) });
  try {
    return await Promise.race([coming.then(() => true), pause.catch(() => true)]);
  } finally {
    ending.abort();
  }
}
