import { watch } from "node:fs";

/** Resolves when `isSo` resolves with true; checks after each change of the folder. Rejects after 60 s. */
export async function untilInFolder(folder: string, isSo: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const watcher = watch(folder);
  // Also detects a change during a check.
  let changed = Promise.withResolvers<void>();
  watcher.on("change", () => changed.resolve());
  signal.addEventListener("abort", () => changed.reject(signal.reason));
  try {
    for (;;) {
      changed = Promise.withResolvers<void>();
      changed.promise.catch(() => undefined);
      if (await isSo()) return;
      await changed.promise;
    }
  } finally {
    watcher.close();
  }
}
