import * as v from "valibot";
import {
  type AddressReading,
  isUnencrypted,
  readAddress,
  type ServiceAddress,
} from "../../client/http/address.ts";
import type { AddressProblem } from "../../client/failure/failure.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import { holdsKey, looksLikeKey } from "../../client/http/keyShape.ts";
import { type ClientStyle, clientStyles, defaultClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { type ConnectionHeader, type FaultyHeader, readHeaders } from "./connectionHeaders.ts";
import { isCalendarDay } from "./expiry.ts";

/** A connection of one customer or project. Its key is stored separately. */
export interface Connection {
  readonly name: string;
  /** A connection with an invalid base URL stays in the list. Using it reports the problem. */
  readonly address: AddressReading;
  readonly clientStyle: ClientStyle;
  readonly model?: string;
  /** Environment variable with the key, instead of the secret storage. */
  readonly keyVariable?: string;
  /** ISO date. */
  readonly expires?: string;
  /** Further headers of its requests; absent if there are none. */
  readonly headers?: readonly ConnectionHeader[];
  /** A connection with an invalid header stays in the list. Using it reports the problem. */
  readonly faultyHeader?: FaultyHeader;
}

/** Why an entry of the setting, or one of its properties, is ignored. Never contains the property's value. */
export type ConnectionProblem =
  | { readonly kind: "not-a-list" }
  | {
      readonly kind: "not-readable";
      readonly index: number;
      readonly name?: string;
      readonly property?: string;
    }
  | { readonly kind: "duplicate-name"; readonly name: string }
  | {
      readonly kind: "address";
      readonly name: string;
      readonly problem: AddressProblem;
      readonly suggestion?: string;
    }
  /** A reference such as `$NAME` instead of the variable's name; `suggestion` is the name alone. */
  | { readonly kind: "variable-name"; readonly name: string; readonly suggestion: string }
  | ({ readonly kind: "header"; readonly name: string } & FaultyHeader)
  /** A property that looks like a key. Keys do not belong in settings. */
  | {
      readonly kind: "key-in-settings";
      readonly index: number;
      readonly name?: string;
      readonly property: string;
    };

export interface ConnectionList {
  readonly connections: readonly Connection[];
  readonly problems: readonly ConnectionProblem[];
}

const connectionSchema = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1)),
  baseUrl: v.string(),
  clientStyle: v.optional(v.picklist(clientStyles), defaultClientStyle),
  model: v.optional(v.string()),
  keyVariable: v.optional(v.string()),
  expires: v.optional(v.pipe(v.string(), v.check(isCalendarDay))),
  allowHttp: v.optional(v.boolean(), false),
  headers: v.optional(v.unknown()),
});

const knownProperties = new Set(Object.keys(connectionSchema.entries));

/** A valid name of an environment variable in a shell. */
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reads the setting `inference.connections`. Unusable entries are skipped and reported as problems. */
export function readConnections(setting: unknown): ConnectionList {
  if (!Array.isArray(setting)) return { connections: [], problems: [{ kind: "not-a-list" }] };
  const connections: Connection[] = [];
  const problems: ConnectionProblem[] = [];
  const names = new Set<string>();
  for (const [index, entry] of setting.entries()) {
    const connection = readConnection(entry, index, problems);
    if (connection === undefined) continue;
    if (names.has(connection.name)) problems.push({ kind: "duplicate-name", name: connection.name });
    else connections.push(connection);
    names.add(connection.name);
  }
  return { connections, problems };
}

function readConnection(
  entry: unknown,
  index: number,
  problems: ConnectionProblem[],
): Connection | undefined {
  const parsed = v.safeParse(connectionSchema, entry);
  if (!parsed.success) {
    problems.push(unreadable(entry, index, parsed.issues[0]));
    return undefined;
  }
  const { name, baseUrl, clientStyle, model, keyVariable, expires, allowHttp } = parsed.output;
  const { headers, faulty } = readHeaders(parsed.output.headers);
  if (holdsKey(name)) {
    problems.push({ kind: "key-in-settings", index, property: "name" });
    return undefined;
  }
  for (const property of keyLikeProperties(entry))
    problems.push({ kind: "key-in-settings", index, name, property });
  const address = readAddress(baseUrl, allowHttp);
  if (address.kind === "problem") {
    const { problem, suggestion } = address;
    problems.push({ kind: "address", name, problem, ...(suggestion === undefined ? {} : { suggestion }) });
  }
  const modelName = readModelName(model);
  if (holdsKey(model ?? "")) problems.push({ kind: "key-in-settings", index, name, property: "model" });
  const variable = keyVariable?.trim() ?? "";
  if (variable !== "" && !isVariableName(variable)) {
    const suggestion = variableIn(variable);
    problems.push(
      suggestion === undefined
        ? { kind: "key-in-settings", index, name, property: "keyVariable" }
        : { kind: "variable-name", name, suggestion },
    );
  }
  if (faulty !== undefined) problems.push({ kind: "header", name, ...faulty });
  return {
    name,
    address,
    clientStyle,
    ...(modelName === undefined ? {} : { model: modelName }),
    ...(isVariableName(variable) ? { keyVariable: variable } : {}),
    ...(expires === undefined ? {} : { expires }),
    ...(headers.length === 0 ? {} : { headers }),
    ...(faulty === undefined ? {} : { faultyHeader: faulty }),
  };
}

/** Whether the text is the name of a variable, and not a key. */
export function isVariableName(text: string): boolean {
  return variableName.test(text) && !looksLikeKey(text);
}

/** Returns the name in `$NAME`, `${NAME}`, `$env:NAME`, `${env:NAME}` or `%NAME%`. */
export function variableIn(text: string): string | undefined {
  const inner = /^\$(?:env:)?(\w+)$|^\$\{(?:env:)?(\w+)\}$|^%(\w+)%$/i.exec(text)?.slice(1).join("");
  return inner !== undefined && isVariableName(inner) ? inner : undefined;
}

function keyLikeProperties(entry: unknown): readonly string[] {
  if (typeof entry !== "object" || entry === null) return [];
  return Object.keys(entry).filter(
    (property) =>
      !knownProperties.has(property) && /key|token|secret|passw|auth|bearer|credential/i.test(property),
  );
}

function unreadable(
  entry: unknown,
  index: number,
  issue: v.InferIssue<typeof connectionSchema>,
): ConnectionProblem {
  const named = v.safeParse(v.object({ name: v.string() }), entry);
  const key = issue.path?.[0].key;
  return {
    kind: "not-readable",
    index,
    ...(named.success && !holdsKey(named.output.name) ? { name: named.output.name } : {}),
    ...(typeof key === "string" ? { property: key } : {}),
  };
}

/**
 * Returns the connection's base URL.
 * @throws InferenceError of kind `address` if the base URL is invalid
 */
export function requireAddress({ address }: Connection): ServiceAddress {
  if (address.kind === "address") return address.address;
  const { problem, suggestion } = address;
  throw new InferenceError({ kind: "address", problem, ...(suggestion === undefined ? {} : { suggestion }) });
}

/**
 * Returns the connection's further headers.
 * @throws InferenceError of kind `header` if one of them can't be sent
 */
export function requireHeaders({ headers = [], faultyHeader }: Connection): readonly ConnectionHeader[] {
  if (faultyHeader !== undefined) throw new InferenceError({ kind: "header", ...faultyHeader });
  return headers;
}

/** Returns the host that receives key and texts without encryption, or undefined. */
export function unencryptedHost({ address }: Connection): string | undefined {
  if (address.kind === "problem" || !isUnencrypted(address.address)) return undefined;
  return address.address.modelsUrl.host;
}

/** Returns a valid model ID: one word without spaces, and not a key. Returns undefined for other values. */
export function readModelName(value: unknown): string | undefined {
  const name = typeof value === "string" ? value.trim() : "";
  return /^[^\s\p{Cc}\p{Cf}]{1,200}$/u.test(name) && !holdsKey(name) ? name : undefined;
}
