import { decodePercents } from "../../text/escapes.ts";
import { type AddressReading, readAddress } from "../../client/http/address.ts";
import { holdsKey, looksLikeKey } from "../../client/http/keyShape.ts";
import type { AddressProblem, HeaderProblem, KeyMend, KeyProblem } from "../../client/failure/failure.ts";
import {
  type Fields,
  isFields,
  parseJson,
  readFields,
  readString,
} from "../../protocol/conversation/json.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { readModelName, variableIn } from "./connection.ts";
import {
  type ConnectionHeader,
  isSetByRequests,
  maxHeaders,
  readHeader,
  shownHeaderName,
} from "./connectionHeaders.ts";
import { readKey } from "./keyHygiene.ts";
import { type Assignment, findCurl, readAssignments, readCurlOptions, References } from "./shellText.ts";

/** A connection that a configuration of another tool describes. Only `key` contains the key. */
export interface PastedConfiguration {
  readonly source: "custom-endpoint" | "environment" | "curl";
  readonly name?: string;
  /** As written, except for a missing scheme and the endpoint's path. */
  readonly baseUrl: string;
  /** An address, or the problem `insecure`, which the user can accept. */
  readonly address: AddressReading;
  readonly clientStyle?: ClientStyle;
  readonly model?: string;
  readonly headers: readonly ConnectionHeader[];
  readonly key: PastedKey;
  readonly unused: readonly UnusedPart[];
  /** Whether the text contains a key or another secret, used or not. */
  readonly holdsSecret: boolean;
}

export type PastedKey =
  | { readonly kind: "none" }
  /** `from` is the name of the variable, header, or property. */
  | { readonly kind: "key"; readonly key: string; readonly mends: readonly KeyMend[]; readonly from: string }
  /** The configuration refers to an environment variable. */
  | { readonly kind: "variable"; readonly variable: string }
  /** VS Code keeps the key, and only its own chat can read it. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "placeholder" }
  | { readonly kind: "unusable"; readonly problem: KeyProblem };

/** A part that is not used. Never contains a value. */
export type UnusedPart =
  /** A variable or an entry of another configuration. */
  | { readonly kind: "configuration"; readonly name: string }
  | { readonly kind: "command" }
  | { readonly kind: "model"; readonly name: string }
  | { readonly kind: "header"; readonly header: string; readonly problem: HeaderProblem }
  | { readonly kind: "option"; readonly name: string }
  | { readonly kind: "key"; readonly name: string }
  /** A header whose value contains a variable or a placeholder. */
  | { readonly kind: "unresolved"; readonly name: string }
  | { readonly kind: "responses" }
  /** The value of a variable, whose quote isn't closed. */
  | { readonly kind: "unclosed"; readonly name: string };

export type PasteProblem =
  | {
      readonly kind:
        | "empty"
        | "too-long"
        | "unreadable"
        | "nothing"
        | "no-base-url"
        | "key-in-url"
        | "unclosed"
        /** The URL contains a variable without a value, or a placeholder. */
        | "unresolved-url";
    }
  | { readonly kind: "address"; readonly problem: AddressProblem; readonly suggestion?: string };

export type PasteReading =
  | { readonly kind: "configuration"; readonly configuration: PastedConfiguration }
  | { readonly kind: "problem"; readonly problem: PasteProblem };

/** Maximum UTF-16 units of a text that is read. */
const maxLength = 100_000;
/** Maximum UTF-16 units of a base URL. */
const maxUrlLength = 2000;
/** Maximum number of unused parts that are reported. */
const maxUnused = 12;
/** Maximum number of curl commands that are searched for a URL. */
const maxCommands = 20;

/**
 * Reads a configuration of another tool: an entry of VS Code's own chat, environment variables, or a curl command. If
 * there are several, uses the first one that names a base URL, and reports the others as unused. Of variables, prefers
 * those of OpenAI and Anthropic, and those with a key.
 */
export function readPastedConfiguration(pasted: string): PasteReading {
  if (pasted.length > maxLength) return problem("too-long");
  // oxlint-disable-next-line no-control-regex -- Texts contain no such characters.
  if (/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(pasted)) return problem("unreadable");
  const text = withoutMarkup(pasted).trim();
  if (text === "") return problem("empty");
  const json = /^(?:[[{]|\/[/*])/.test(text) ? readLenientJson(text) : undefined;
  if (json !== undefined) return readJsonConfiguration(json);
  return (
    readCurl(text) ??
    readEnvironment(readAssignments(text)) ??
    problem(findCurl(text) === undefined ? "nothing" : "no-base-url")
  );
}

function problem(kind: Exclude<PasteProblem["kind"], "address">): PasteReading {
  return { kind: "problem", problem: { kind } };
}

/** Replaces typographic quotes and spaces. Removes lines of code fences, and prompts before commands. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/\r\n?/g, "\n")
    .replace(/^[ \t]*(?:```|~~~).*$/gm, "")
    .replace(/^[ \t]*(?:\$|>|%|PS [^\n>]*>|C:\\[^\n>]*>)[ \t]+(?=\S)/gm, "");
}

/** Collects what a configuration says. The first value of each kind counts. */
class Draft {
  readonly #source: PastedConfiguration["source"];
  readonly #headers: ConnectionHeader[] = [];
  readonly #unused: UnusedPart[] = [];
  #key: PastedKey = { kind: "none" };
  #writtenKey: string | undefined;
  #holdsSecret = false;
  url: string | undefined;
  name: string | undefined;
  clientStyle: ClientStyle | undefined;
  model: string | undefined;

  constructor(source: PastedConfiguration["source"]) {
    this.#source = source;
  }

  /** @param isSecret whether the part contains a key or another secret */
  omit(part: UnusedPart, isSecret = false): void {
    this.#holdsSecret ||= isSecret;
    const known = JSON.stringify(part);
    if (this.#unused.length < maxUnused && !this.#unused.some((each) => JSON.stringify(each) === known))
      this.#unused.push(part);
  }

  omitVariable({ role, name, value = "" }: Omit<KnownVariable, "group">): void {
    this.omit({ kind: "configuration", name }, role === "key" && isSecretKey(readPastedKey(value, name)));
  }

  /** @param from the name of the variable, header, or property */
  takeKey(written: string, from: string): void {
    const text = written.trim().replace(/^bearer(?:\s+|$)/i, "");
    // `${apiKey}` stands for the key that the entry names itself.
    if (text === "" || text === "${apiKey}" || text === this.#writtenKey) return;
    const key = readPastedKey(text, from);
    this.#holdsSecret ||= isSecretKey(key);
    if (!/^(?:none|placeholder|unusable)$/.test(this.#key.kind))
      return this.omit({ kind: "key", name: from });
    this.#writtenKey = text;
    this.#key = key;
  }

  takeUrl(url: string): void {
    if (this.url === undefined) this.url = url;
    else if (this.url !== url)
      this.omit({ kind: "configuration", name: readName(URL.parse(url)?.host) ?? "--url" });
  }

  takeHeader(name: string, written: string): void {
    const lower = name.toLowerCase();
    const value = written.trim();
    if (lower === "anthropic-version") this.clientStyle ??= "messages";
    if (lower === "x-api-key" || lower === "api-key") return this.takeKey(value, name);
    if (lower === "authorization" && !/^(?:basic|digest|negotiate|ntlm)\s/i.test(value))
      return this.takeKey(value, name);
    if (isSetByRequests(name)) return;
    const shown = shownHeaderName(name, this.#headers.length);
    const { scheme, reference = "" } =
      /^(?:(?<scheme>[A-Za-z][\w-]*)\s+)?(?<reference>\S+)$/.exec(value)?.groups ?? {};
    // The settings have no value for `${apiKey}`, which is no variable.
    const variable = reference === "${apiKey}" ? undefined : variableIn(reference);
    if (variable === undefined && isUnresolvedText(value))
      return this.omit({ kind: "unresolved", name: shown });
    const entry = variable === undefined ? value : { variable, ...(scheme === undefined ? {} : { scheme }) };
    const header = readHeader(name, entry);
    if (typeof header === "string")
      this.omit(
        { kind: "header", header: shown, problem: header },
        variable === undefined && (header === "secret" || /authorization|cookie/.test(lower)),
      );
    else if (this.#headers.some((each) => each.name.toLowerCase() === lower))
      this.omit({ kind: "header", header: shown, problem: "duplicate" });
    else if (this.#headers.length < maxHeaders) this.#headers.push(header);
    else this.omit({ kind: "header", header: `#${maxHeaders + 1}`, problem: "too-many" });
  }

  /** Whether a text contains the key that was read. Shorter keys also occur in ordinary words. */
  #hasReadKey(text: string): boolean {
    return this.#key.kind === "key" && this.#key.key.length >= 8 && text.includes(this.#key.key);
  }

  finish(): PasteReading {
    if (this.url === undefined) return problem("no-base-url");
    if (this.url.length > maxUrlLength)
      return { kind: "problem", problem: { kind: "address", problem: "not-an-address" } };
    if (isUnresolvedUrl(this.url)) return problem("unresolved-url");
    const { url, style, isResponses } = readEndpoint(this.url);
    if (isResponses) this.omit({ kind: "responses" });
    const first = readAddress(url);
    // The user sees the result before anything is saved, so a missing scheme can be added.
    const baseUrl =
      first.kind === "problem" && first.problem === "no-scheme" ? (first.suggestion ?? url) : url;
    const address = readAddress(baseUrl);
    if (partsOf(url).some((part) => holdsKey(part) || this.#hasReadKey(part))) return problem("key-in-url");
    if (address.kind === "problem" && address.problem !== "insecure") {
      const { problem: why, suggestion } = address;
      const more = suggestion === undefined ? {} : { suggestion };
      return { kind: "problem", problem: { kind: "address", problem: why, ...more } };
    }
    const clientStyle = style ?? (isResponses ? undefined : this.clientStyle);
    const withoutKey = (text: string | undefined): string | undefined =>
      text === undefined || this.#hasReadKey(text) ? undefined : text;
    const model = withoutKey(readModelName(this.model));
    const name = withoutKey(readName(this.name));
    const headers = this.#headers.filter((each) => !this.#hasReadKey(JSON.stringify(each)));
    for (const { name: header } of this.#headers.filter((each) => !headers.includes(each)))
      this.omit({ kind: "header", header, problem: "secret" });
    const configuration = {
      source: this.#source,
      ...(name === undefined ? {} : { name }),
      baseUrl,
      address,
      ...(clientStyle === undefined ? {} : { clientStyle }),
      ...(model === undefined ? {} : { model }),
      headers,
      key: this.#key,
      unused: this.#unused.filter((part) => !this.#hasReadKey(JSON.stringify(part))),
      holdsSecret: this.#holdsSecret,
    };
    return { kind: "configuration", configuration };
  }
}

/** Whether a part of the URL must still be replaced. Otherwise, that part would become a host or a path. */
function isUnresolvedUrl(url: string): boolean {
  return /[${}<>]|^\s*\//.test(url) || isUnresolvedText(url);
}

/** Whether a text contains a reference, the output of a command, or a placeholder. */
function isUnresolvedText(text: string): boolean {
  // `%C3%` belongs to an encoded character, `%HOST%` is a variable.
  return /\$[a-z_{(]|%(?![0-9a-f]{2}%)[a-z_]\w*%|<[\w -]+>|\{\{/i.test(text);
}

/** Returns the URL without an endpoint that connections don't have, and the client style of its endpoint. */
function readEndpoint(written: string): {
  readonly url: string;
  readonly style?: ClientStyle;
  readonly isResponses: boolean;
} {
  const text = written.trim().replace(/\/+$/, "");
  const other = /\/(?:responses|completions|embeddings)$/i.exec(text)?.[0].toLowerCase();
  if (/\/messages(?:\/count_tokens)?$/i.test(text))
    return { url: text.replace(/\/count_tokens$/i, ""), style: "messages", isResponses: false };
  if (/\/chat\/completions$/i.test(text)) return { url: text, style: "chat-completions", isResponses: false };
  if (other === undefined) return { url: text, isResponses: false };
  return { url: text.slice(0, -other.length), isResponses: other === "/responses" };
}

function readPastedKey(text: string, from: string): PastedKey {
  const variable = variableIn(text);
  if (variable !== undefined) return { kind: "variable", variable };
  if (/^\$\{(?:input|secret|command):/i.test(text)) return { kind: "elsewhere" };
  // The output of a command.
  if (text.includes("$(") || text.startsWith("`") || isPlaceholder(text)) return { kind: "placeholder" };
  const reading = readKey(text);
  return reading.kind === "unusable"
    ? { kind: "unusable", problem: reading.problem }
    : { kind: "key", key: reading.key, mends: reading.kind === "mended" ? reading.mends : [], from };
}

function isSecretKey(key: PastedKey): boolean {
  if (key.kind === "unusable") return /^(?:several|session-token|password|not-ascii)$/.test(key.problem);
  return key.kind === "key";
}

/** Whether a text stands for a key in an example. */
function isPlaceholder(text: string): boolean {
  return (
    /^(?:<[^<>]*>|\{\{?[^{}]*\}?\}|\[[^[\]]*\]|\.{3,}|\u2026|x{3,}|none|null|dummy|changeme|test|no-?key\S*)$/i.test(
      text,
    ) || /(?:^|[-_])(?:your|my)[-_]|key[-_ ]?here|[-_](?:not?[-_])?required$/i.test(text)
  );
}

/** Returns the parts of the URL that can hold a key. Some host names are long runs of letters and digits. */
function partsOf(url: string): readonly string[] {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  return [path, decodePercents(path)];
}

function readName(written: string | undefined): string | undefined {
  const name = (written ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  return name === "" || name.length > 60 || holdsKey(name) ? undefined : name;
}

// VS Code's own chat: `chatLanguageModels.json`, with comments and trailing commas.

/** Parses JSON with comments and trailing commas, also several values in a row. Takes linear time. */
function readLenientJson(text: string): unknown {
  let strict = "";
  let comma = "";
  for (let at = 0; at < text.length;) {
    const start = text.charAt(at);
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (token.startsWith("//") || token.startsWith("/*") || /^\s/.test(start)) continue;
    // A comma counts once something other than a closing bracket follows.
    if (start !== "]" && start !== "}") strict += comma;
    comma = start === "," ? "," : "";
    if (start !== ",") strict += token;
  }
  return parseJson(strict) ?? parseJson(`[${strict}]`);
}

/** Returns the end of a string, a comment, or one character. */
function endOfToken(text: string, at: number): number {
  const start = text.slice(at, at + 2);
  if (start === "//") return text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at);
  if (start === "/*") return text.indexOf("*/", at) === -1 ? text.length : text.indexOf("*/", at) + 2;
  if (!start.startsWith('"')) return at + 1;
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '"') return end + 1;
    if (character === "\\") end += 1;
  }
  return text.length;
}

function readJsonConfiguration(json: unknown): PasteReading {
  const environment = isFields(json) ? environmentOf(json) : [];
  if (environment.length > 0) return readEnvironment(environment) ?? problem("nothing");
  const entries = entriesOf(json);
  const [first, ...others] = entries.flatMap(modelsOf);
  if (first === undefined) return problem(entries.length === 0 ? "nothing" : "no-base-url");
  const draft = new Draft("custom-endpoint");
  const { entry } = first;
  draft.name = readString(entry, "name") ?? first.name;
  draft.url = first.url;
  draft.model = first.model;
  draft.clientStyle = first.clientStyle;
  if (first.apiType === "responses") draft.omit({ kind: "responses" });
  draft.takeKey(readString(entry, "apiKey") ?? "", "apiKey");
  for (const source of [entry, first.fields]) {
    for (const [name, value] of Object.entries(readFields(source, "requestHeaders") ?? {}))
      if (typeof value === "string") draft.takeHeader(name, value);
  }
  for (const other of others) {
    const isSame = other.entry === entry && baseOf(other.url) === baseOf(first.url);
    const name = other.entry === entry ? other.model : (readString(other.entry, "name") ?? other.model);
    const shown = readName(name);
    if (shown !== undefined) draft.omit({ kind: isSame ? "model" : "configuration", name: shown });
  }
  for (const entryWithout of entries) {
    const name = readName(readString(entryWithout, "name") ?? readString(entryWithout, "vendor"));
    if (modelsOf(entryWithout).length === 0 && name !== undefined)
      draft.omit({ kind: "configuration", name });
  }
  return draft.finish();
}

/** Returns the variables of a JSON object such as `{ "env": { "ANTHROPIC_BASE_URL": "..." } }`. */
function environmentOf(json: Fields): readonly Assignment[] {
  const variables = Object.entries(readFields(json, "env") ?? json).flatMap(([name, value]) =>
    typeof value === "string" ? [{ name, value }] : [],
  );
  return variables.some(({ name }) => roleOf(name)?.role === "url" && /^[A-Z0-9_]+$/.test(name))
    ? variables
    : [];
}

/** Returns the entries of a list, of one entry, or of the older setting with models by their IDs. */
function entriesOf(json: unknown): readonly Fields[] {
  if (Array.isArray(json)) return json.filter(isFields);
  if (!isFields(json)) return [];
  const providers = json["providers"];
  if (Array.isArray(providers)) return providers.filter(isFields);
  if (Array.isArray(json["models"]) || typeof json["url"] === "string") return [json];
  const byId = readFields(json, "github.copilot.chat.customOAIModels") ?? json;
  const models = Object.entries(byId).flatMap(([id, model]) => (isFields(model) ? [{ id, ...model }] : []));
  return models.length === 0 ? [] : [{ models }];
}

interface EndpointModel {
  readonly entry: Fields;
  readonly fields: Fields;
  readonly url: string;
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly apiType: string | undefined;
  readonly clientStyle: ClientStyle | undefined;
}

/** Returns the models of an entry that have a URL. Entries of other vendors have none. */
function modelsOf(entry: Fields): readonly EndpointModel[] {
  const vendor = readString(entry, "vendor");
  if (vendor !== undefined && vendor !== "customendpoint" && vendor !== "customoai") return [];
  const models = Array.isArray(entry["models"]) ? entry["models"].filter(isFields) : [];
  return (models.length === 0 ? [entry] : models).flatMap((fields) => {
    const url = readString(fields, "url") ?? readString(entry, "url") ?? readString(entry, "endpoint");
    if (url === undefined) return [];
    const apiType = readString(fields, "apiType") ?? readString(entry, "apiType");
    const model = readString(fields, "id") ?? readString(fields, "model");
    const clientStyle = styleOf(apiType ?? (vendor === "customoai" ? "chat-completions" : undefined));
    return [{ entry, fields, url, name: readString(fields, "name"), model, apiType, clientStyle }];
  });
}

function styleOf(apiType: string | undefined): ClientStyle | undefined {
  return apiType === "chat-completions" || apiType === "messages" ? apiType : undefined;
}

function baseOf(url: string): string {
  const reading = readAddress(url, true);
  return reading.kind === "address" ? reading.address.base : url;
}

// Environment variables.

type Role = "url" | "key" | "model" | "headers";

const roles: Readonly<Record<string, Role>> = {
  API_BASE_URL: "url",
  API_BASE: "url",
  BASE_URL: "url",
  API_URL: "url",
  API_KEY: "key",
  AUTH_TOKEN: "key",
  API_TOKEN: "key",
  DEFAULT_MODEL: "model",
  MODEL_NAME: "model",
  MODEL: "model",
  CUSTOM_HEADERS: "headers",
};

/** Returns the meaning of a variable, and the name that it shares with others of its configuration. */
function roleOf(name: string): { readonly group: string; readonly role: Role } | undefined {
  const upper = name.toUpperCase();
  const suffix = Object.keys(roles).find((each) => upper === each || upper.endsWith(`_${each}`));
  const role = suffix === undefined ? undefined : roles[suffix];
  if (suffix === undefined || role === undefined || looksLikeKey(name)) return undefined;
  return { group: upper.slice(0, -suffix.length).replace(/_$/, ""), role };
}

interface KnownVariable {
  readonly group: string;
  readonly role: Role;
  readonly name: string;
  /** Undefined if its quote isn't closed. */
  readonly value: string | undefined;
}

/** Returns undefined if no variable has a known name. */
function readEnvironment(assignments: readonly Assignment[]): PasteReading | undefined {
  const references = new References(maxLength);
  references.add(assignments);
  if (references.isTooLong) return problem("too-long");
  const known = references.assignments.flatMap(({ name, value }): readonly KnownVariable[] => {
    const meaning = roleOf(name);
    return meaning === undefined ? [] : [{ ...meaning, name, value: value?.trim() }];
  });
  if (known.length === 0) return undefined;
  const groupsWith = (wanted: Role): readonly string[] =>
    known.flatMap(({ group, role, value = "" }) => (role === wanted && value !== "" ? [group] : []));
  const withKey = new Set(groupsWith("key"));
  const rankOf = (each: string): number =>
    (/OPENAI|ANTHROPIC|CLAUDE/.test(each) ? 2 : 0) + (withKey.has(each) ? 1 : 0);
  // Sorting keeps the order of groups with the same rank.
  const [group] = groupsWith("url").toSorted((left, right) => rankOf(right) - rankOf(left));
  if (group === undefined)
    return problem(known.some(({ value }) => value === undefined) ? "unclosed" : "no-base-url");
  const draft = new Draft("environment");
  if (/ANTHROPIC|CLAUDE/.test(group)) draft.clientStyle = "messages";
  if (/OPENAI/.test(group)) draft.clientStyle = "chat-completions";
  const own = ownVariables(known.filter((each) => each.group === group && each.value !== ""));
  // A gateway gets the token, not the key of the service itself.
  const tokens = own.filter(({ name }) => /AUTH_TOKEN$/i.test(name));
  for (const each of new Set([...tokens, ...own])) takeVariable(draft, each);
  for (const each of known)
    if (!own.includes(each) && each.value !== "" && (each.group === group || !references.used.has(each.name)))
      draft.omitVariable(each);
  return draft.finish();
}

/** Returns the variables before the first one that is set again, if the URL is set again too. */
function ownVariables(variables: readonly KnownVariable[]): readonly KnownVariable[] {
  const urls = new Set(variables.flatMap(({ role, value }) => (role === "url" ? [value] : [])));
  if (urls.size < 2) return variables;
  const first = variables.findIndex(({ role }) => role === "url");
  const values = new Map<string, string | undefined>();
  for (const [at, { name, value }] of variables.entries()) {
    if (at > first && values.has(name) && values.get(name) !== value) return variables.slice(0, at);
    values.set(name, value);
  }
  return variables;
}

function takeVariable(draft: Draft, { role, name, value }: KnownVariable): void {
  if (value === undefined) return draft.omit({ kind: "unclosed", name });
  switch (role) {
    case "key":
      return draft.takeKey(value, name);
    case "headers":
      for (const line of value.split(/\n|\\n/)) takeHeaderLine(draft, line);
      return;
    case "url":
    case "model":
      if (draft[role] === undefined) draft[role] = value;
      else if (draft[role] !== value) draft.omit({ kind: "configuration", name });
  }
}

function takeHeaderLine(draft: Draft, line: string): void {
  const [, name, value] = /^\s*([^:\s]+):\s*(.*)$/s.exec(line) ?? [];
  if (name !== undefined && value !== undefined && value.trim() !== "") draft.takeHeader(name, value);
}

// A curl command.

/** Options that change where or how a request is sent, or log in. */
const reportedOption =
  /^(?:user|(?:pre)?proxy.*|socks[45].*|(?:abstract-)?unix-socket|insecure|cert|key|pass|ca(?:cert|path)|config|cookie|netrc.*|aws-sigv4|resolve|connect-to|doh-url|request-target)$/;

const hostShape = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$|^localhost[:/]\S*$/i;

/** Returns undefined if the text has no curl command with a URL. */
function readCurl(text: string): PasteReading | undefined {
  const references = new References(maxLength);
  let left = text;
  for (let count = 0; count < maxCommands; count += 1) {
    const command = findCurl(left);
    if (command === undefined) return undefined;
    if (!command.isClosed) return problem("unclosed");
    references.add(readAssignments(command.before));
    const draft = new Draft("curl");
    const words = command.words.map((word) => references.expand(word));
    takeOptions(words, draft);
    if (references.isTooLong) return problem("too-long");
    left = command.rest;
    if (draft.url === undefined) continue;
    if (findCurl(left) !== undefined) draft.omit({ kind: "command" }, holdsKey(left));
    for (const { name, value } of [...references.assignments, ...readAssignments(left)]) {
      const role = roleOf(name)?.role;
      // Other names are fields of a request's body.
      if (role !== undefined && !references.used.has(name) && /^[A-Z]/.test(name))
        draft.omitVariable({ role, name, value });
    }
    return draft.finish();
  }
  return undefined;
}

function takeOptions(words: readonly string[], draft: Draft): void {
  const options = readCurlOptions(words);
  const next = options.findIndex(({ name }) => name === "next");
  let host: string | undefined;
  for (const { name, value } of next === -1 ? options : options.slice(0, next)) {
    if (name !== "") takeOption(name, value, draft);
    else if (/^https?:\/\//i.test(value)) draft.takeUrl(value);
    else if (hostShape.test(value)) host ??= value;
  }
  // A word without a scheme may also be the value of an unknown option.
  draft.url ??= host;
  if (next !== -1) draft.omit({ kind: "command" }, words.some(holdsKey));
}

function takeOption(option: string, value: string, draft: Draft): void {
  if (option === "header") takeHeaderLine(draft, value);
  else if (option === "url") draft.takeUrl(value);
  else if (option === "oauth2-bearer") draft.takeKey(value, `--${option}`);
  else if (option === "json" || /^data(?:-|$)/.test(option)) {
    // PowerShell needs escaped quotes also within single quotes.
    const body = parseJson(value) ?? parseJson(value.replaceAll('\\"', '"'));
    if (isFields(body)) draft.model ??= readString(body, "model");
  } else if (reportedOption.test(option)) {
    const isSecret = /user|pass/.test(option) || /[=@]/.test(value);
    draft.omit({ kind: "option", name: `--${option}` }, isSecret && !isUnresolvedText(value));
  }
}
