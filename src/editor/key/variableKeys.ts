import type { ApiKey } from "../../client/key/apiKey.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";
import type { SealedKey } from "./sealedKey.ts";
import { readVariableKey } from "./variableKey.ts";
import { VariableOrigins } from "./variableOrigins.ts";
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
