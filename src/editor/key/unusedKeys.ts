import * as v from "valibot";
import type { KeySeal } from "../../client/key/keySeal.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import type { State } from "../workspace/state.ts";

/** An array: `v.record` drops keys such as `__proto__`, which a connection may have as its name. */
const recordsSchema = v.array(
  v.object({
    connection: v.string(),
    /** Time of the latest check, in milliseconds since 1970. */
    lookedAt: v.number(),
    /** Milliseconds that the connection had been missing at that check. */
    missedFor: v.number(),
  }),
);

type MissingRecord = v.InferOutput<typeof recordsSchema>[number];

const stateKey = "inference.goneConnections";

type Keys = Pick<ApiKeyStore, "storedNames" | "recordedNames" | "has" | "sealOf">;

/** A stored key whose connection is not in the settings. */
export interface UnusedKey {
  readonly name: string;
  /** Undefined if the key cannot be read. */
  readonly seal: KeySeal | undefined;
  /** When the key became unused, in milliseconds since 1970; undefined if the user was not told of the key yet. */
  readonly since: number | undefined;
}

/**
 * Stored keys whose connections are no longer in the settings. All windows share the records. Removes no keys: the user
 * may be between a cut and a paste, or the settings may come from another computer.
 */
export class UnusedKeys {
  readonly #keys: Keys;
  readonly #state: State;
  readonly #namesInSettings: () => readonly string[];

  /** @param namesInSettings includes entries that can't be used; throws if the setting is not a list */
  constructor(keys: Keys, state: State, namesInSettings: () => readonly string[]) {
    this.#keys = keys;
    this.#state = state;
    this.#namesInSettings = namesInSettings;
  }

  /**
   * Returns names that the user was not told of yet. Returns a name again only after its connection was added and
   * removed again.
   */
  async takeUnreported(): Promise<readonly string[]> {
    const atFirst = this.#namesInSettings();
    const stored = await this.#keys.storedNames();
    // The settings may have changed during the read.
    const used = new Set([...atFirst, ...this.#namesInSettings()]);
    const before = this.#read();
    const told = before.filter(({ connection }) => !used.has(connection));
    const toldNames = new Set(told.map(({ connection }) => connection));
    const untold = stored.filter((name) => !used.has(name) && !toldNames.has(name));
    if (untold.length > 0 || told.length < before.length)
      await this.#write([...told, ...untold.map((name) => recordOf(name, Date.now()))]);
    return untold;
  }

  /** @throws SecretStoreError */
  async list(): Promise<readonly UnusedKey[]> {
    const stored = await this.#keys.storedNames();
    const records = this.#read();
    const names = new Set([
      ...stored,
      ...this.#keys.recordedNames,
      ...records.map((each) => each.connection),
    ]);
    const unused: UnusedKey[] = [];
    for (const name of [...names].filter((each) => !this.isUsed(each))) {
      // Secret storage that fails lists no names. It throws only when asked for a key.
      if (!stored.includes(name) && !(await this.#keys.has(name))) continue;
      const record = records.find(({ connection }) => connection === name);
      const since = record && record.lookedAt - record.missedFor;
      unused.push({ name, seal: await this.#keys.sealOf(name), since });
    }
    return unused;
  }

  isUsed(connectionName: string): boolean {
    return this.#namesInSettings().includes(connectionName);
  }

  /** Records that the user knows of a key, by default as unused from now on. */
  async note({ name, since = Date.now() }: UnusedKey): Promise<void> {
    await this.#write([...this.#others(name), recordOf(name, since)]);
  }

  async forget({ name }: UnusedKey): Promise<void> {
    await this.#write(this.#others(name));
  }

  #others(name: string): readonly MissingRecord[] {
    return this.#read().filter(({ connection }) => connection !== name);
  }

  #read(): readonly MissingRecord[] {
    const parsed = v.safeParse(recordsSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  async #write(records: readonly MissingRecord[]): Promise<void> {
    // An earlier version removes a key after some time unless `kept` is set.
    const kept = records.map((record) => ({ ...record, kept: true }));
    await this.#state.update(stateKey, kept);
  }
}

function recordOf(connection: string, since: number): MissingRecord {
  return { connection, lookedAt: since, missedFor: 0 };
}
