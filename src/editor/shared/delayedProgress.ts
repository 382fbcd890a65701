import * as vscode from "vscode";
import { isOverWithin } from "./abort.ts";
import { showProgress } from "./notices.ts";

/** Milliseconds before progress is shown. Shorter work is better not announced. */
const delayMs = 500;

/** When progress was last shown, by `performance.now()`. */
let lastShown = Number.NEGATIVE_INFINITY;

/** Whether `withDelayedProgress` has shown progress since that time. */
export function wasAnnouncedSince(time: number): boolean {
  return lastShown >= time;
}

/**
 * Does some work, and shows progress if it takes long. Resolves to undefined if the user cancels. The work's signal is
 * then aborted, but the work is not awaited. Reports of the work are shown behind the title.
 */
export async function withDelayedProgress<Result>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<Result>,
): Promise<Result | undefined> {
  const ending = new AbortController();
  let message = "";
  let show: ((message: string) => void) | undefined;
  const result = work(ending.signal, (next) => {
    message = next;
    show?.(next);
  });
  if (await isOverWithin(result, delayMs)) return result;
  lastShown = performance.now();
  const location = vscode.ProgressLocation.Notification;
  return showProgress({ location, title, cancellable: true }, (progress, token) => {
    show = (next) => progress.report({ message: next });
    if (message !== "") show(message);
    const cancelled = new Promise<undefined>((resolve) => {
      token.onCancellationRequested(() => {
        ending.abort();
        resolve(undefined);
      });
    });
    return Promise.race([result, cancelled]);
  });
}

/** Like `withDelayedProgress`, but the user can't cancel the work. */
export async function withWholeProgress<Result>(title: string, work: Promise<Result>): Promise<Result> {
  if (await isOverWithin(work, delayMs)) return work;
  return showProgress({ location: vscode.ProgressLocation.Notification, title }, () => work);
}
