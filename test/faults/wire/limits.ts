import { maxAttempts } from "../../../src/client/request/retrying.ts";
import type { Failure } from "../../../src/client/failure/failure.ts";
import type { TimeLimits } from "../../../src/client/http/transport.ts";
import type { Way } from "./site.ts";

/** What a limit of time is for; see `TimeLimits`. */
export type Limit = "connect" | "headers" | "idle" | "total" | "closing";
export type Phase = Extract<Failure, { kind: "timeout" }>["phase"];

/** None of them ends what goes on, also where the machine is busy with other things. */
export const fullLimits: TimeLimits = {
  connectMs: 5000,
  headersMs: 12_000,
  idleMs: 12_000,
  totalMs: 30_000,
  closingMs: 12_000,
};

/** A fault that is to run into a limit has this one alone brief, so that no other can come in its place. */
const briefLimits: Readonly<Record<Limit, Partial<TimeLimits>>> = {
  // `fetch` knows but the sum of these two.
  connect: { connectMs: 300, headersMs: 150 },
  headers: { connectMs: 1000, headersMs: 150 },
  idle: { idleMs: 150 },
  total: { totalMs: 2000 },
  closing: { closingMs: 100 },
};

/** Beside a limit: undici looks at its timers twice a second, and a machine may be busy with other things. */
export const slackMs = 5000;
/** Less than the 4 s for which undici keeps a connection that nobody uses. */
export const unusedMs = 3000;
/** What is to run into no limit is over before one of the full ones could end it unseen, or has 256 MB to read. */
const quickMs = 5000;
const slowMs = 20_000;

export function limitsFor(limit: Limit | undefined): TimeLimits {
  return limit === undefined ? fullLimits : { ...fullLimits, ...briefLimits[limit] };
}

/** When a fault has to be over that runs into the limit, with all that is tried again. */
export function dueMs(limit: Limit | undefined, isSlow: boolean): number {
  if (limit === undefined) return isSlow ? slowMs : quickMs;
  const once = Object.values(briefLimits[limit]).reduce((sum, milliseconds) => sum + milliseconds, 0);
  return once * (limit === "connect" || limit === "closing" ? maxAttempts : 1);
}

/** What the failure calls the limit; undefined where it is none to run into it. */
export function phaseOf(limit: Limit | undefined, way: Way): Phase | undefined {
  if (limit === "connect") return way === "fetch" ? "headers" : limit;
  return limit === "closing" ? undefined : limit;
}

/** How long a connection may stay open that nobody reads any more. */
export function leaveMs(limit: Limit | undefined, way: Way): number {
  // One that does not stand yet `fetch` cannot be told to leave: it does so by a limit of its own.
  return slackMs + (limit === "connect" && way === "fetch" ? 10_000 : 0);
}
