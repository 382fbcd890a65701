import * as v from "valibot";
import type { State } from "../workspace/state.ts";

const sealSchema = v.object({ connection: v.string(), variable: v.string(), origin: v.string() });
/** A list, since names of connections may be what no record takes for a key. */
const sealsSchema = v.array(sealSchema);

type Seal = v.InferOutput<typeof sealSchema>;

const stateKey = "inference.variableOrigins";

/** The origin that each connection may send the key of a variable to, without the key; shared by all windows. */
export class VariableOrigins {
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
