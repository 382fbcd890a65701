import * as v from "valibot";
import { KeySeal } from "../../client/key/keySeal.ts";
import type { State } from "../workspace/state.ts";

/** As it is stored: the seal is named by its first kind. */
const storedSchema = v.object({ key: v.string(), origin: KeySeal.schema });

/** What the secret store keeps. */
export interface SealedKey {
  readonly key: string;
  readonly seal: KeySeal;
}

export function writeSealedKey({ key, seal }: SealedKey): string {
  return JSON.stringify({ key, origin: seal.stored });
}

/** Undefined where the text is not what was once written. */
export function readSealedKey(text: string): SealedKey | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), storedSchema), text);
  return parsed.success ? { key: parsed.output.key, seal: parsed.output.origin } : undefined;
}

const namesSchema = v.array(v.string());
const stateKey = "inference.storedKeys";

/**
 * The connections whose keys were given to the secret store, without the keys. A name that is in this
 * list while the store has no key for it shows that the store has not kept what it was given.
 */
export class StoredKeyNames {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Read anew each time: other windows write it too. */
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
