import * as v from "valibot";
import { ApiKey } from "../../client/key/apiKey.ts";
import { InferenceError, type KeyProblem } from "../../client/failure/failure.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";
import type { SealedKey } from "./storedKeys.ts";
import type { State } from "../workspace/state.ts";

/** A variable's key, the origin it was used for, and the one that its connection leads to now. */
export interface MovedVariable {
  readonly variable: string;
  readonly sealedOrigin: string;
  readonly origin: string;
}

/** Keys in environment variables. The first use seals one to the origin it is used for. */
export class VariableKeys {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #origins: VariableOrigins;

  constructor(environment: Readonly<Record<string, string | undefined>>, state: State) {
    this.#environment = environment;
    this.#origins = new VariableOrigins(state);
  }

  /** @throws InferenceError `key` where it could not be sent; `key-origin` where it was used for another origin */
  async read(connectionName: string, variable: string, origin: string): Promise<ApiKey> {
    const sealedOrigin = this.#origins.of(connectionName, variable);
    if (sealedOrigin !== undefined && sealedOrigin !== origin)
      throw new InferenceError({ kind: "key-origin", sealedOrigin, origin });
    const key = readVariableKey(this.#environment[variable], variable, origin);
    if (sealedOrigin === undefined) await this.#origins.seal(connectionName, variable, origin);
    return key;
  }

  /** As it is to be looked for in texts; undefined where the variable holds no key. */
  find({ address }: Connection, variable: string): SealedKey | undefined {
    const reading = readKey(this.#environment[variable] ?? "");
    if (reading.kind === "unusable") return undefined;
    return { key: reading.key, origin: address.kind === "address" ? address.address.origin : "" };
  }

  /** Whether an environment variable has a value. */
  isSet(variable: string): boolean {
    return (this.#environment[variable] ?? "") !== "";
  }

  /** Where the connection's variable was used for another origin than it leads to now; else undefined. */
  movedOf({ name, address, keyVariable: variable }: Connection): MovedVariable | undefined {
    if (variable === undefined || address.kind === "problem") return undefined;
    const { origin } = address.address;
    const sealedOrigin = this.#origins.of(name, variable);
    return sealedOrigin === undefined || sealedOrigin === origin
      ? undefined
      : { variable, sealedOrigin, origin };
  }

  /** To be called only where a person has agreed to it. */
  async sealAnew(connectionName: string, { variable, origin }: MovedVariable): Promise<void> {
    await this.#origins.seal(connectionName, variable, origin);
  }

  /** For a connection's new name. */
  async copy(from: string, to: string): Promise<void> {
    await this.#origins.copy(from, to);
  }

  async forget(connectionName: string): Promise<void> {
    await this.#origins.forget(connectionName);
  }
}

/**
 * The key in the value of an environment variable. It is not mended: what else reads the variable
 * would go on sending what stands there.
 * @throws InferenceError `key`, with what is wrong with the value and never the value
 */
function readVariableKey(value: string | undefined, variable: string, origin: string): ApiKey {
  const reading = readKey(value ?? "");
  switch (reading.kind) {
    case "clean":
      return new ApiKey(reading.key, origin);
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

const sealSchema = v.object({ connection: v.string(), variable: v.string(), origin: v.string() });
/** A list, since names of connections may be what no record takes for a key. */
const sealsSchema = v.array(sealSchema);

type Seal = v.InferOutput<typeof sealSchema>;

const stateKey = "inference.variableOrigins";

/** The origin that each connection may send the key of a variable to, without the key; shared by all windows. */
class VariableOrigins {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  of(connectionName: string, variable: string): string | undefined {
    return this.#read().find(isFor(connectionName, variable))?.origin;
  }

  async seal(connectionName: string, variable: string, origin: string): Promise<void> {
    const isSame = isFor(connectionName, variable);
    const others = this.#read().filter((seal) => !isSame(seal));
    await this.#state.update(stateKey, [...others, { connection: connectionName, variable, origin }]);
  }

  /** What one connection may is what the other may, and nothing else. */
  async copy(from: string, to: string): Promise<void> {
    const others = this.#read().filter(({ connection }) => connection !== to);
    const copies = others.flatMap((seal) => (seal.connection === from ? [{ ...seal, connection: to }] : []));
    await this.#state.update(stateKey, [...others, ...copies]);
  }

  async forget(connectionName: string): Promise<void> {
    const seals = this.#read();
    const kept = seals.filter(({ connection }) => connection !== connectionName);
    if (kept.length < seals.length) await this.#state.update(stateKey, kept);
  }

  /** Read anew each time: other windows write it too. */
  #read(): readonly Seal[] {
    const parsed = v.safeParse(sealsSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }
}

function isFor(connectionName: string, variable: string): (seal: Seal) => boolean {
  return (seal) => seal.connection === connectionName && seal.variable === variable;
}
