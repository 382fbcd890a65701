import { decodePercents } from "../../text/escapes.ts";
import { readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";

/** The parts of a link that the editor hands to us, percent-decoded once by it. */
export interface LinkParts {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** A connection that a link proposes. It is someone else's word, and changes nothing by itself. */
export interface ProposedConnection {
  readonly name: string;
  readonly address: ServiceAddress;
  /** Absent where the link leaves it to the user. */
  readonly clientStyle?: ClientStyle;
}

/** Why a link is not followed. None of it repeats anything of the link. */
export type LinkProblem =
  | "other-path"
  /** Something in it looks like a key. */
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

/** Characters of path, query and fragment. */
const maxLinkLength = 2000;
/** In longer ones no key is looked for. */
const maxSearchedLength = 20_000;
/** A name is shown in the status bar. */
const maxNameLength = 60;

const parameters: ReadonlySet<string> = new Set(["name", "baseUrl", "style"]);
const wordsOfKeys = /key|token|secret|passw|auth|bearer|credential/i;

/**
 * Reads `/connect?name=...&baseUrl=...&style=...`. A key is looked for first and everywhere, so that whoever
 * sent one hears of that and not of a smaller fault.
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

/** The editor has decoded the link already; decoding once more would read what nobody wrote. */
function readPair(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  return equals === -1 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
}

function isKeyPair([name, value]: readonly [string, string]): boolean {
  if (!parameters.has(name) && wordsOfKeys.test(name)) return true;
  return holdsKey(name) || (name === "baseUrl" ? holdsKey(withoutHost(value)) : holdsKey(value));
}

/** Some services name hosts by long runs of letters and digits; a user's name or password is never a host. */
function withoutHost(address: string): string {
  return address.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)(?=[/?#]|$)/i,
    (_, scheme: string, host: string) => (/^[a-z]{2,4}[-_]/i.test(host) ? `${scheme}${host}` : scheme),
  );
}

/** Whether a word of the text looks like a key, also where it was encoded once more than it should be. */
function holdsKey(text: string): boolean {
  return [text, decodePercents(text)].some(
    (each) =>
      /^bearer\s/i.test(each.trim()) ||
      /\/\/[^/?#]*@/.test(each) ||
      // oxlint-disable-next-line no-control-regex -- whatever is between two words
      each.split(/[^\w.-]+/).some((word) => looksLikeKey(word) || word.split(".").some(looksLikeKey)),
  );
}
