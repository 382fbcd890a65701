import * as v from "valibot";
import { KeySeal } from "../../client/key/keySeal.ts";
import type { State } from "../workspace/state.ts";

/** Format in secret storage. For compatibility, `origin` holds the seal. */
const storedSchema = v.object({ key: v.string(), origin: KeySeal.schema });

/** The content of an entry in secret storage. */
export interface SealedKey {
  readonly key: string;
  readonly seal: KeySeal;
}

export function writeSealedKey({ key, seal }: SealedKey): string {
  return JSON.stringify({ key, origin: seal.stored });
}

/** Returns undefined if the text is not in the stored format. */
export function readSealedKey(text: string): SealedKey | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), storedSchema), text);
  return parsed.success ? { key: parsed.output.key, seal: parsed.output.origin } : undefined;
}

const namesSchema = v.array(v.string());
const stateKey = "inference.storedKeys";

/**
 * Names of the connections whose keys were given to secret storage, without the keys. If a name is in this list but
 * secret storage has no key for it, the key was lost.
 */
export class StoredKeyNames {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Reads the state each time, because other windows write it too. */
  get all(): readonly string[] {
    const parsed = v.safeParse(namesSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  async add(connectionName: string): Promise<void> {
    if (!this.all.includes(connectionName)) await this.#write([...this.all, connectionName]);
  }

  async remove(connectionName: string): Promise<void> {
    if (this.all.includes(connectionName))
      await this.#write(this.all.filter((name) => name !== connectionName));
  }

  async #write(names: readonly string[]): Promise<void> {
    await this.#state.update(stateKey, names);
  }
}
