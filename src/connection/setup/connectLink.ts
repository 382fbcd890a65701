import { decodePercents } from "../../text/escapes.ts";
import { readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";

/** The parts of a link. VS Code has percent-decoded them once. */
export interface LinkParts {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** A connection that a link proposes. Links are untrusted, so nothing changes before the user agrees. */
export interface ProposedConnection {
  readonly name: string;
  readonly address: ServiceAddress;
  /** Absent if the user should choose. */
  readonly clientStyle?: ClientStyle;
}

/** Why a link is rejected. Never repeats any part of the link. */
export type LinkProblem =
  | "other-path"
  /** The link contains something that looks like a key. */
  | "key"
  | "too-long"
  | "unreadable"
  | "unknown-parameter"
  | "duplicate-parameter"
  | "name"
  | "address"
  | "insecure"
  | "style";

export type LinkReading =
  | { readonly kind: "proposal"; readonly proposal: ProposedConnection }
  | { readonly kind: "problem"; readonly problem: LinkProblem };

/** Maximum UTF-16 units of path, query and fragment. */
const maxLinkLength = 2000;
/** Maximum UTF-16 units of a link that is searched for keys. */
const maxSearchedLength = 20_000;
/** Maximum UTF-16 units of a name, since the status bar shows the name. */
const maxNameLength = 60;

const parameters: ReadonlySet<string> = new Set(["name", "baseUrl", "style"]);
const wordsOfKeys = /key|token|secret|passw|auth|bearer|credential/i;

/**
 * Reads `/connect?name=...&baseUrl=...&style=...`. Searches all of the link for a key before other problems, because a
 * sent key is more serious. Only an extremely long link is not searched.
 */
export function readConnectLink({ path, query, fragment }: LinkParts): LinkReading {
  const length = path.length + query.length + fragment.length;
  if (length > maxSearchedLength) return problem("too-long");
  const pairs = query === "" ? [] : query.split("&").map(readPair);
  if (holdsKey(path) || holdsKey(fragment) || pairs.some(isKeyPair)) return problem("key");
  if (length > maxLinkLength) return problem("too-long");
  if (path.replace(/\/$/, "") !== "/connect") return problem("other-path");
  if (fragment !== "") return problem("unknown-parameter");
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u.test(query)) return problem("unreadable");
  const names = pairs.map(([name]) => name);
  if (names.some((name) => !parameters.has(name))) return problem("unknown-parameter");
  if (new Set(names).size < names.length) return problem("duplicate-parameter");
  return readProposal(new Map(pairs));
}

function readProposal(values: ReadonlyMap<string, string>): LinkReading {
  const name = (values.get("name") ?? "").trim();
  if (name === "" || name.length > maxNameLength) return problem("name");
  const reading = readAddress(values.get("baseUrl") ?? "");
  if (reading.kind === "problem") return problem(reading.problem === "insecure" ? "insecure" : "address");
  const { address } = reading;
  const style = values.get("style");
  if (style === undefined) return { kind: "proposal", proposal: { name, address } };
  const clientStyle = clientStyles.find((each) => each === style);
  if (clientStyle === undefined) return problem("style");
  return { kind: "proposal", proposal: { name, address, clientStyle } };
}

function problem(which: LinkProblem): LinkReading {
  return { kind: "problem", problem: which };
}

/** VS Code has already decoded the link. Decoding again would change its meaning. */
function readPair(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  return equals === -1 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
}

function isKeyPair([name, value]: readonly [string, string]): boolean {
  if (!parameters.has(name) && wordsOfKeys.test(name)) return true;
  return holdsKey(name) || (name === "baseUrl" ? holdsKey(withoutHost(value)) : holdsKey(value));
}

/** Removes the host, because some host names are long runs of letters and digits. A user name or password stays. */
function withoutHost(address: string): string {
  return address.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)(?=[/?#]|$)/i,
    (_, scheme: string, host: string) => (/^[a-z]{2,4}[-_]/i.test(host) ? `${scheme}${host}` : scheme),
  );
}

/** Whether a word of the text looks like a key, even if it was percent-encoded twice. */
function holdsKey(text: string): boolean {
  return [text, decodePercents(text)].some(
    (each) =>
      /^bearer\s/i.test(each.trim()) ||
      /\/\/[^/?#]*@/.test(each) ||
      // oxlint-disable-next-line no-control-regex -- Splits at all other characters.
      each.split(/[^\w.-]+/).some((word) => looksLikeKey(word) || word.split(".").some(looksLikeKey)),
  );
}
