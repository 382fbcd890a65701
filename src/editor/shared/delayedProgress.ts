import * as vscode from "vscode";
import { isOverWithin } from "./abort.ts";
import { showProgress } from "./notices.ts";

/** Milliseconds of work that nobody is told of: what is over by then is better not announced. */
const delayMs = 500;

/** When work was announced last, as `performance.now()` counts. */
let lastShown = Number.NEGATIVE_INFINITY;

/** Whether some work has taken so long since then that it was announced. */
export function wasAnnouncedSince(time: number): boolean {
  return lastShown >= time;
}

/**
 * Does some work, and says so where it takes its time. Resolves to undefined where the user cancelled it; the
 * work hears of that by its signal, and is not waited for.
 */
export async function withDelayedProgress<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const ending = new AbortController();
  const result = work(ending.signal);
  if (await isOverWithin(result, delayMs)) return result;
  lastShown = performance.now();
  const location = vscode.ProgressLocation.Notification;
  return showProgress({ location, title, cancellable: true }, (_progress, token) => {
    const cancelled = new Promise<undefined>((resolve) => {
      token.onCancellationRequested(() => {
        ending.abort();
        resolve(undefined);
      });
    });
    return Promise.race([result, cancelled]);
  });
}

/** The same for what is not to be left half done. */
export async function withWholeProgress<Result>(title: string, work: Promise<Result>): Promise<Result> {
  if (await isOverWithin(work, delayMs)) return work;
  return showProgress({ location: vscode.ProgressLocation.Notification, title }, () => work);
}
