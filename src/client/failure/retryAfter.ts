/** Header names in lower case. */
type Headers = Readonly<Record<string, string>>;

/**
 * How long the server asks to wait, in milliseconds (wire.md, "Waiting"). A time that is negative,
 * past or unreadable is no answer. `nowMs` is the clock where the answer has no `date`.
 */
export function readRetryAfterMs(headers: Headers, status: number, nowMs: number): number | undefined {
  return (
    readNumber(headers["retry-after-ms"], 1) ??
    readNumber(headers["x-ms-retry-after-ms"], 1) ??
    readNumber(headers["retry-after"], 1000) ??
    readDate(headers["retry-after"], clockOf(headers, nowMs)) ??
    (status === 429 ? readResets(headers, clockOf(headers, nowMs)) : undefined)
  );
}

/** The server's own clock, since ours may be wrong. */
function clockOf(headers: Headers, nowMs: number): number {
  const date = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? nowMs : date;
}

function readNumber(text: string | undefined, unitMs: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? Math.round(Number(trimmed) * unitMs) : undefined;
}

/** An HTTP date (RFC 9110, section 5.6.7) or an RFC 3339 one. */
function readDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return wait > 0 ? wait : undefined;
}

const resetName = /^(?:x-)?(?:anthropic-)?ratelimit-(?:reset-?(.*)|(.*)-reset)$/;

/** The longest reset of a limit of which nothing remains. */
function readResets(headers: Headers, nowMs: number): number | undefined {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    if (!resetName.test(name) || headers[name.replace("reset", "remaining")]?.trim() !== "0") return [];
    return readReset(value, nowMs) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** `1s`, `6m0s`, `120ms`, a number of seconds, a date, or a point in time as Unix time. */
function readReset(text: string, nowMs: number): number | undefined {
  const number = readNumber(text, 1);
  if (number === undefined) return readDuration(text) ?? readDate(text, nowMs);
  if (number < 1e9) return number * 1000;
  const wait = (number < 1e11 ? number * 1000 : number) - nowMs;
  return wait > 0 ? wait : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(trimmed)) return undefined;
  const pieces = trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return Math.round(
    [...pieces].reduce((sum, [, n, unit]) => sum + Number(n) * (unitsMs[unit ?? ""] ?? 0), 0),
  );
}
