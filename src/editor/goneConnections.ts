import * as v from "valibot";
import type { State } from "./state.ts";

const recordSchema = v.object({
  connection: v.string(),
  /** When it was last looked for, in milliseconds. */
  lookedAt: v.number(),
  /** For how many milliseconds it was seen to be missing. */
  missedFor: v.number(),
  /** The most days that its key was given until now, to stay without an answer. */
  promised: v.optional(v.number(), 0),
  /** Whether a window has asked what shall become of the key. */
  asked: v.optional(v.boolean(), false),
  /** Whether the user wants the key kept all the same. */
  kept: v.optional(v.boolean(), false),
});
/** A list, since names of connections may be what no record takes for a key. */
const recordsSchema = v.array(recordSchema);

export type GoneRecord = v.InferOutput<typeof recordSchema>;

const stateKey = "inference.goneConnections";

/** Connections that the settings no longer hold, and what was said of their keys; shared by all windows. */
export class GoneConnections {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  of(connectionName: string): GoneRecord | undefined {
    return this.#read().find(({ connection }) => connection === connectionName);
  }

  get names(): readonly string[] {
    return this.#read().map(({ connection }) => connection);
  }

  async note(record: GoneRecord): Promise<void> {
    const others = this.#read().filter(({ connection }) => connection !== record.connection);
    await this.#write([...others, record]);
  }

  /** Keeps the records of these names only. */
  async keepOnly(names: readonly string[]): Promise<void> {
    const records = this.#read();
    const kept = records.filter(({ connection }) => names.includes(connection));
    if (kept.length < records.length) await this.#write(kept);
  }

  async forget(connectionName: string): Promise<void> {
    await this.keepOnly(this.names.filter((name) => name !== connectionName));
  }

  #read(): readonly GoneRecord[] {
    const parsed = v.safeParse(recordsSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  async #write(records: readonly GoneRecord[]): Promise<void> {
    await this.#state.update(stateKey, records);
  }
}
