import * as v from "valibot";
import type * as vscode from "vscode";

const recordSchema = v.object({
  /** When the connection was first missed, in milliseconds. */
  since: v.number(),
  /** Whether a window has asked what shall become of the key. */
  asked: v.optional(v.boolean(), false),
  /** Whether the user wants the key kept all the same. */
  kept: v.optional(v.boolean(), false),
});
const recordsSchema = v.record(v.string(), recordSchema);

type GoneRecord = v.InferOutput<typeof recordSchema>;

const stateKey = "inference.goneConnections";

/** Connections that the settings no longer hold while a key of theirs is stored; shared by all windows. */
export class GoneConnections {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(connectionName: string): GoneRecord | undefined {
    const records = this.#read();
    return Object.hasOwn(records, connectionName) ? records[connectionName] : undefined;
  }

  async note(connectionName: string, record: GoneRecord): Promise<void> {
    await this.#write({ ...this.#read(), [connectionName]: record });
  }

  /** Keeps the records of these names only. */
  async keepOnly(names: readonly string[]): Promise<void> {
    const records = this.#read();
    const kept = Object.entries(records).filter(([name]) => names.includes(name));
    if (kept.length < Object.keys(records).length) await this.#write(Object.fromEntries(kept));
  }

  #read(): Readonly<Record<string, GoneRecord>> {
    const parsed = v.safeParse(recordsSchema, this.#state.get<unknown>(stateKey));
    return parsed.success ? parsed.output : {};
  }

  async #write(records: Readonly<Record<string, GoneRecord>>): Promise<void> {
    await this.#state.update(stateKey, records);
  }
}
