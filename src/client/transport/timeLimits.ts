import type { TimeLimits } from "../http/transport.ts";

/**
 * For what generates. A model may think for minutes before its first byte, so what is meant to end a
 * wait that is merely long is the person; these end what is dead.
 */
export const answerLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 300_000,
  idleMs: 300_000,
  totalMs: 900_000,
  closingMs: 10_000,
};

/** For a list of models, which costs the service nothing to give; the total is that of all its pages. */
export const listLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 120_000,
  closingMs: 10_000,
};
