import { setTimeout as wait } from "node:timers/promises";

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
