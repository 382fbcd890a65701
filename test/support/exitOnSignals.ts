import { constants } from "node:os";

/** Ends this process on a signal to stop in the way that also ends the process groups it started. */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
