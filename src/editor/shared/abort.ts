import type * as vscode from "vscode";
import { setTimeout as wait } from "node:timers/promises";

/** The editor's cancellation as the standard's; below the editor layer there is only the latter. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/**
 * What comes of some work, or undefined as soon as the signal is aborted: the work then goes on, and nobody waits for it.
 * Rejects as it does.
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

/** Whether something came, or nobody waits any more, within so many milliseconds. Rejects as it does. */
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
