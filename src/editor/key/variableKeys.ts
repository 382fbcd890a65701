import * as v from "valibot";
import { ApiKey } from "../../client/key/apiKey.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { InferenceError, type KeyProblem } from "../../client/failure/failure.ts";
import { type ConnectionHeader, problemOfSecretValue } from "../../connection/setup/connectionHeaders.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";
import type { SealedKey } from "./storedKeys.ts";
import type { State } from "../workspace/state.ts";

/** A variable, the seal of its key, and the seal that its connection needs now. */
export interface MovedVariable {
  readonly variable: string;
  readonly seal: KeySeal;
  readonly needed: KeySeal;
}

/** Keys in environment variables. The first use of a variable seals its key. */
export class VariableKeys {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #seals: VariableSeals;

  constructor(environment: Readonly<Record<string, string | undefined>>, state: State) {
    this.#environment = environment;
    this.#seals = new VariableSeals(state);
  }

  /** @throws InferenceError `key` if the key can't be sent; `key-seal` if it was used for another origin */
  async read(connectionName: string, variable: string, needed: KeySeal): Promise<ApiKey> {
    const seal = this.#seals.of(connectionName, variable);
    seal?.requireSame(needed);
    const key = readVariableKey(this.#environment[variable], variable, needed);
    if (seal === undefined) await this.#seals.set(connectionName, variable, needed);
    return key;
  }

  /**
   * Reads the secret value of a header. The value may be anything that a header can carry.
   * @throws InferenceError `header` if the value can't be sent; `key-seal` if it was used for another origin
   */
  async readHeader(
    connectionName: string,
    header: string,
    variable: string,
    needed: KeySeal,
  ): Promise<ApiKey> {
    const seal = this.#seals.of(connectionName, variable);
    seal?.requireSame(needed, variable);
    const value = this.#environment[variable] ?? "";
    const problem = problemOfSecretValue(value);
    if (problem !== undefined) throw new InferenceError({ kind: "header", header, problem, variable });
    const secret = new ApiKey(value, needed);
    if (seal === undefined) await this.#seals.set(connectionName, variable, needed);
    return secret;
  }

  /** Returns the secret values of a connection's headers to search for them in texts, with their variables. */
  findHeaders({ headers = [] }: Connection): readonly { readonly variable: string; readonly key: ApiKey }[] {
    return variablesOf(headers).flatMap((variable) => {
      const value = this.#environment[variable] ?? "";
      if (problemOfSecretValue(value) !== undefined) return [];
      return [{ variable, key: new ApiKey(value, KeySeal.nowhere) }];
    });
  }

  /** Returns the key to search for it in texts; undefined if the variable has no key. */
  find({ address }: Connection, variable: string): SealedKey | undefined {
    const reading = readKey(this.#environment[variable] ?? "");
    if (reading.kind === "unusable") return undefined;
    const seal = address.kind === "address" ? KeySeal.of(address.address) : KeySeal.nowhere;
    return { key: reading.key, seal };
  }

  isSet(variable: string): boolean {
    return (this.#environment[variable] ?? "") !== "";
  }

  /** Returns undefined unless the connection's variable was used for another origin than the connection has now. */
  movedOf({ name, address, keyVariable: variable }: Connection): MovedVariable | undefined {
    if (variable === undefined || address.kind === "problem") return undefined;
    const needed = KeySeal.of(address.address);
    const seal = this.#seals.of(name, variable);
    return seal === undefined || seal.isSameAs(needed) ? undefined : { variable, seal, needed };
  }

  /** Returns the variables of headers that were used for another origin than the connection has now. */
  movedHeadersOf({ name, address, headers = [] }: Connection): readonly MovedVariable[] {
    if (address.kind === "problem") return [];
    const needed = KeySeal.of(address.address);
    return variablesOf(headers).flatMap((variable) => {
      const seal = this.#seals.of(name, variable);
      return seal === undefined || seal.isSameAs(needed) ? [] : [{ variable, seal, needed }];
    });
  }

  /** Call this only after the user has agreed. */
  async reseal(connectionName: string, { variable, needed }: MovedVariable): Promise<void> {
    await this.#seals.set(connectionName, variable, needed);
  }

  /** Copies the seals for a connection's new name. */
  async copy(from: string, to: string): Promise<void> {
    await this.#seals.copy(from, to);
  }

  async forget(connectionName: string): Promise<void> {
    await this.#seals.forget(connectionName);
  }
}

function variablesOf(headers: readonly ConnectionHeader[]): readonly string[] {
  return [...new Set(headers.flatMap(({ value }) => (value.kind === "variable" ? [value.variable] : [])))];
}

/**
 * Returns the key in an environment variable. Does not clean the value: other programs that read the variable would
 * still send the wrong value.
 * @throws InferenceError `key` with the problem of the value, never with the value
 */
function readVariableKey(value: string | undefined, variable: string, seal: KeySeal): ApiKey {
  const reading = readKey(value ?? "");
  switch (reading.kind) {
    case "clean":
      return new ApiKey(reading.key, seal);
    case "mended":
      throw new InferenceError({ kind: "key", cause: "malformed-key", variable, mends: reading.mends });
    case "unusable": {
      const { problem } = reading;
      throw new InferenceError({ kind: "key", cause: causeOfKeyProblem(problem), variable, problem });
    }
  }
}

function causeOfKeyProblem(problem: KeyProblem): "empty-key" | "malformed-key" | "not-a-key" {
  switch (problem) {
    case "empty":
      return "empty-key";
    case "login":
    case "password":
    case "session-token":
    case "url":
      return "not-a-key";
    case "masked":
    case "not-ascii":
    case "prose":
    case "several":
      return "malformed-key";
  }
}

/** Stored format. For compatibility, `origin` holds the seal. */
const recordSchema = v.object({ connection: v.string(), variable: v.string(), origin: KeySeal.schema });
/** An array: `v.record` drops keys such as `__proto__`, which a connection may have as its name. */
const recordsSchema = v.array(recordSchema);

type SealRecord = v.InferOutput<typeof recordSchema>;

const stateKey = "inference.variableOrigins";

/** The seals of each connection's variables, without the keys. All windows share them. */
class VariableSeals {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  of(connectionName: string, variable: string): KeySeal | undefined {
    return this.#read().find(isFor(connectionName, variable))?.origin;
  }

  async set(connectionName: string, variable: string, seal: KeySeal): Promise<void> {
    const isSame = isFor(connectionName, variable);
    const others = this.#read().filter((record) => !isSame(record));
    await this.#write([...others, { connection: connectionName, variable, origin: seal }]);
  }

  /** Gives `to` exactly the seals of `from`. */
  async copy(from: string, to: string): Promise<void> {
    const others = this.#read().filter(({ connection }) => connection !== to);
    const copies = others.flatMap((each) => (each.connection === from ? [{ ...each, connection: to }] : []));
    await this.#write([...others, ...copies]);
  }

  async forget(connectionName: string): Promise<void> {
    const records = this.#read();
    const others = records.filter(({ connection }) => connection !== connectionName);
    if (others.length < records.length) await this.#write(others);
  }

  /** Reads the state each time, because other windows write it too. */
  #read(): readonly SealRecord[] {
    const parsed = v.safeParse(recordsSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  async #write(records: readonly SealRecord[]): Promise<void> {
    const stored = records.map((record) => ({ ...record, origin: record.origin.stored }));
    await this.#state.update(stateKey, stored);
  }
}

function isFor(connectionName: string, variable: string): (record: SealRecord) => boolean {
  return (record) => record.connection === connectionName && record.variable === variable;
}
