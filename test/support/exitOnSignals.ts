import { constants } from "node:os";

/** Exits this process on a stop signal. The exit also ends the process groups that this process started. */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
