import * as v from "valibot";
import type { HeaderProblem } from "../../client/failure/failure.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { isFields } from "../../protocol/conversation/json.ts";

/** A further header of a connection's requests. */
export interface ConnectionHeader {
  /** As the user wrote it. HTTP ignores case. */
  readonly name: string;
  readonly value: HeaderText | HeaderVariable;
}

/** A value that is not secret, as written in the settings. */
interface HeaderText {
  readonly kind: "text";
  readonly text: string;
}

/** A secret value in an environment variable. */
interface HeaderVariable {
  readonly kind: "variable";
  readonly variable: string;
  /** A word before the value, such as `Bearer`. */
  readonly scheme?: string;
}

/** A header that can't be sent. */
export interface FaultyHeader {
  /** The header's name; `#2` for the second header, if the name can't be shown. */
  readonly header: string;
  readonly problem: HeaderProblem;
}

export interface HeaderList {
  readonly headers: readonly ConnectionHeader[];
  /** The first header that can't be sent. The connection then sends nothing. */
  readonly faulty?: FaultyHeader;
}

/** Maximum number of headers of a connection. */
export const maxHeaders = 20;
const maxNameLength = 100;
const maxValueLength = 2000;

/** A token (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with single spaces inside. */
const visibleText = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const visibleWord = /^[\x21-\x7e]+$/;
const schemeShape = /^[A-Za-z][A-Za-z0-9-]{0,19}$/;

/** Headers that every request has already. */
const setByRequests = new Set(
  (
    "accept accept-charset accept-encoding anthropic-version connection content-length content-type keep-alive " +
    "user-agent"
  ).split(" "),
);

/** Headers for logins, for the connection itself, and for the body. Also those that replace its host, path, or method. */
const reserved = new Set(
  (
    "authorization authentication-info www-authenticate cookie cookie2 set-cookie set-cookie2 x-api-key api-key " +
    "host te trailer trailers transfer-encoding upgrade http2-settings expect via " +
    "content-encoding content-range content-md5 content-location range date origin " +
    "forwarded x-host x-original-host x-original-url x-rewrite-url x-http-method x-http-method-override x-method-override"
  ).split(" "),
);

/** Words of names whose values are secrets: `x-team-token`, `x-auth-token-2`, `x-secret-id`. */
const secretWord =
  /^(?:auth|authorization|bearer|pass|passwd|password|credentials?|jwt|keys?)\d*$|(?:secret|token|apikey)(?:v?\d+)?$/;
/** These words count as secret only at the end of a name. */
const secretLastWord = /^(?:session|signature)$|key$/;
/** Last words of names whose values are not secret, such as `x-token-type`. */
const plainLastWord = /^(?:type|provider|mode|count|limit)$/;

/** Whether the value of this name is probably a secret. */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.]+/);
  const last = words.at(-1) ?? "";
  return (
    !plainLastWord.test(last) && (words.some((word) => secretWord.test(word)) || secretLastWord.test(last))
  );
}

const entrySchema = v.union([
  v.string(),
  v.strictObject({ variable: v.string(), scheme: v.optional(v.string()) }),
]);

/** Reads `headers` of an entry of `inference.connections`. Problems never contain a value. */
export function readHeaders(written: unknown): HeaderList {
  if (written === undefined) return { headers: [] };
  if (!isFields(written)) return { headers: [], faulty: { header: "headers", problem: "not-an-object" } };
  const headers: ConnectionHeader[] = [];
  const names = new Set<string>();
  let faulty: FaultyHeader | undefined;
  for (const [index, [name, value]] of Object.entries(written).entries()) {
    const header = readHeader(name, value);
    const isKnown = names.has(name.toLowerCase());
    names.add(name.toLowerCase());
    const problem = typeof header === "string" ? header : isKnown ? "duplicate" : undefined;
    if (problem !== undefined) faulty ??= { header: shownHeaderName(name, index), problem };
    else if (typeof header === "object") headers.push(header);
  }
  if (names.size > maxHeaders) faulty ??= { header: "headers", problem: "too-many" };
  return faulty === undefined ? { headers } : { headers, faulty };
}

/** Returns the name, or its position if the name may be a key or can't be displayed. */
export function shownHeaderName(name: string, index: number): string {
  return token.test(name) && name.length <= maxNameLength && !looksLikeKey(name) ? name : `#${index + 1}`;
}

/** Returns the header, or why it can't be sent. */
export function readHeader(name: string, written: unknown): ConnectionHeader | HeaderProblem {
  if (!token.test(name) || name.length > maxNameLength || looksLikeKey(name)) return "name";
  if (isReservedHeader(name)) return "reserved";
  const parsed = v.safeParse(entrySchema, written);
  if (!parsed.success) return "value";
  if (typeof parsed.output === "string") return readText(name, parsed.output);
  const { variable, scheme } = parsed.output;
  if (!isVariable(variable)) return "variable-name";
  if (scheme !== undefined && !schemeShape.test(scheme)) return "value";
  return { name, value: { kind: "variable", variable, ...(scheme === undefined ? {} : { scheme }) } };
}

/** Whether requests set this header themselves, or HTTP or a login needs it. */
export function isReservedHeader(name: string): boolean {
  return isSetByRequests(name) || reserved.has(name.toLowerCase()) || /^(?:proxy|x-forwarded)-/i.test(name);
}

/** Whether every request has this header already, or only browsers need it. */
export function isSetByRequests(name: string): boolean {
  return setByRequests.has(name.toLowerCase()) || /^sec-/i.test(name);
}

function readText(name: string, written: string): ConnectionHeader | HeaderProblem {
  const text = written.trim();
  if (text.length > maxValueLength) return "too-long";
  // A secret is more serious than other characters.
  if (looksSecret(name, text)) return "secret";
  return visibleText.test(text) ? { name, value: { kind: "text", text } } : "characters";
}

/** Whether a value belongs into an environment variable, by the header's name or by its own form. */
function looksSecret(name: string, text: string): boolean {
  return (
    isSecretName(name) ||
    holdsNamedSecret(text) ||
    /^(?:bearer|basic|token|apikey|digest)\s/i.test(text) ||
    /\/\/[^/?#\s]*@/.test(text) ||
    /eyJ[\w-]{10,}\./.test(text) ||
    text.split(/[^\w-]+/).some(looksLikeKey) ||
    // Base64 with characters that separate words elsewhere.
    (text.match(/[A-Za-z0-9+/]{32,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Z]/.test(run))
  );
}

/** Whether the text has a member or a word with a secret as its value: `{"api_key":"abc"}`, `Key: abc`. */
function holdsNamedSecret(text: string): boolean {
  const named = text.matchAll(/([\w.-]+)["']?\s*[:=]\s*(?!true\b|false\b|null\b|[{[])\S/g);
  return [...named].some(([, name = ""]) => isSecretName(name));
}

/** A valid name of an environment variable in a shell, and not a key. */
function isVariable(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !looksLikeKey(text);
}

/** Values with fewer characters also occur in ordinary words, so they can't be removed from texts. */
const minSecretLength = 8;

/** Returns why the value of an environment variable can't be sent in a header, or undefined. */
export function problemOfSecretValue(value: string): HeaderProblem | undefined {
  if (value === "") return "variable-empty";
  if (value.length > maxValueLength || !visibleWord.test(value)) return "variable-value";
  return value.length < minSecretLength ? "variable-short" : undefined;
}

/** Returns the entry of the settings for these headers. */
export function headersEntry(headers: readonly ConnectionHeader[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    headers.map(({ name, value }) => {
      if (value.kind === "text") return [name, value.text];
      const { variable, scheme } = value;
      return [name, { variable, ...(scheme === undefined ? {} : { scheme }) }];
    }),
  );
}
