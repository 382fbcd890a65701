import { watch } from "node:fs";

/** Looks at each change of the folder whether it is so by now. */
export async function untilInFolder(folder: string, isSo: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const watcher = watch(folder);
  // Also what changes while it is looked at counts.
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
