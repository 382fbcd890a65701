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
