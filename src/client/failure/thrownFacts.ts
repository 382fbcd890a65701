import { isFields, readString } from "../../protocol/conversation/json.ts";
import type { Fields } from "../../protocol/conversation/json.ts";

/** What an error and the causes under it say. The texts are for matching only and go nowhere. */
export interface ThrownFacts {
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  /** The deepest code, which is the most telling. */
  readonly code?: string;
  /** The host that was looked up or called, where the error names it. */
  readonly host?: string;
}

/** Causes nest; a client that connects to several addresses throws an error with a list. */
const maxErrors = 12;

/** Codes are identifiers; a text that is none could hold anything. */
const codeShape = /^(?:[A-Z][A-Z0-9_/]{1,60}|ZSTD_error_[A-Za-z_]{1,40})$/;
const hostShape = /^[A-Za-z0-9._:[\]-]{1,253}$/;

export function readThrownFacts(error: unknown): ThrownFacts {
  const errors = unfold(error);
  const codes = errors.flatMap((each) => codesOf(each));
  const code = codes.at(-1);
  const host = errors.map((each) => hostOf(each)).find((text) => text !== undefined);
  return {
    names: errors.flatMap((each) => readString(each, "name") ?? []),
    codes,
    messages: errors.flatMap((each) => readString(each, "message") ?? []),
    ...(code === undefined ? {} : { code }),
    ...(host === undefined ? {} : { host }),
  };
}

/** The error and what caused it, outermost first. */
function unfold(error: unknown): readonly Fields[] {
  const found: Fields[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.length < maxErrors) {
    const next = queue.shift();
    if (!isFields(next) || found.includes(next)) continue;
    found.push(next);
    queue.push(next["cause"], ...(Array.isArray(next["errors"]) ? next["errors"] : []));
  }
  return found;
}

/** `code` as Node names it, or Chromium's `net::ERR_...`, which stands in the message. */
function codesOf(error: Fields): readonly string[] {
  const code = readString(error, "code");
  const net = /\bnet::(ERR_[A-Z0-9_]+)/.exec(readString(error, "message") ?? "")?.[1];
  return [code, net].filter((text) => text !== undefined && codeShape.test(text)).map(String);
}

function hostOf(error: Fields): string | undefined {
  const host = readString(error, "hostname") ?? readString(error, "host") ?? readString(error, "address");
  return host !== undefined && hostShape.test(host) ? host : undefined;
}
