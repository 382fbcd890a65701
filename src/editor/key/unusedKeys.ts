import * as v from "valibot";
import type { KeySeal } from "../../client/key/keySeal.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import type { State } from "../workspace/state.ts";

/** A list, since names of connections may be what no record takes for a key. */
const recordsSchema = v.array(
  v.object({
    connection: v.string(),
    /** Milliseconds since 1970, of the newest look. */
    lookedAt: v.number(),
    /** For how many milliseconds it was missing at that look. */
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
  /** Milliseconds since 1970; undefined if nobody was told of it yet. */
  readonly since: number | undefined;
}

/**
 * Keys that are stored for connections that the settings no longer hold. A settings file may be between a cut and a
 * paste, or come from another computer, so nothing is removed here. All windows share the records.
 */
export class UnusedKeys {
  readonly #keys: Keys;
  readonly #state: State;
  readonly #namesInSettings: () => readonly string[];

  /** @param namesInSettings also of entries that cannot be used; throws if the setting cannot be relied on */
  constructor(keys: Keys, state: State, namesInSettings: () => readonly string[]) {
    this.#keys = keys;
    this.#state = state;
    this.#namesInSettings = namesInSettings;
  }

  /** Names that nobody was told of yet. Each is given once, until its connection comes and goes again. */
  async takeUnreported(): Promise<readonly string[]> {
    const atFirst = this.#namesInSettings();
    const stored = await this.#keys.storedNames();
    // The settings may have changed while the store was read.
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
      // A store that fails names no keys, and says so only when it is asked for one.
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

  /** Notes a key as one that the user knows of, by default as unused from now on. */
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
    // An earlier version removes a key after some time, unless it is kept.
    const kept = records.map((record) => ({ ...record, kept: true }));
    await this.#state.update(stateKey, kept);
  }
}

function recordOf(connection: string, since: number): MissingRecord {
  return { connection, lookedAt: since, missedFor: 0 };
}
