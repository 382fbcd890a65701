import type { ApiKeyStore, Keeping } from "./apiKeyStore.ts";
import { SecretStoreError } from "./checkedSecrets.ts";
import type { GoneConnections, GoneRecord } from "./goneConnections.ts";

const msPerDay = 24 * 60 * 60 * 1000;

/** What the settings say of connections, as far as it can be relied on. */
export type NamesInSettings =
  /** A list stands in the settings; `names` are in it, also of entries that cannot be used. */
  | { readonly kind: "list"; readonly names: readonly string[] }
  /** Nothing stands there: it was taken out, or the file is missing or cannot be read. */
  | { readonly kind: "nothing" }
  /** What stands there is no list. */
  | { readonly kind: "unreadable" };

export interface OrphanKeysOptions {
  readonly keys: Pick<ApiKeyStore, "storedNames" | "remove" | "move" | "has" | "sealedOrigin">;
  readonly gone: GoneConnections;
  readonly namesInSettings: () => NamesInSettings;
  /** Where a connection leads that takes its key from the store; undefined where there is none such. */
  readonly originOf: (connectionName: string) => string | undefined;
  /** Asks a person, once; nothing waits for the answer. `days` is when the key goes without one. */
  readonly ask: (connectionName: string, days: number) => void;
  /** Says that a key was removed, with the way back, which gives undefined where another key was set since. */
  readonly tellRemoved: (connectionName: string, undo: () => Promise<Keeping | undefined>) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
}

/** Days for which a connection has to be missing until its key is removed unasked, by what stands in the settings. */
export const patience = { list: 1, nothing: 30 } as const;

/**
 * Keys whose connection the settings no longer hold. A settings file may be between a cut and a
 * paste, missing or broken for a moment, so that a key is removed only where a person says so, or
 * once its connection has been missing for long.
 */
export class OrphanKeys {
  readonly #options: OrphanKeysOptions;

  constructor(options: OrphanKeysOptions) {
    this.#options = options;
  }

  /** Looks once: notes what is missing, asks once for each, removes what has been missing for long. */
  async sweep(): Promise<void> {
    const { keys, gone, namesInSettings, now } = this.#options;
    const atFirst = namesInSettings();
    const stored = await keys.storedNames();
    const settings = namesInSettings();
    if (settings.kind === "unreadable") return;
    // What goes while the store is read has its own look to come, once the settings have settled.
    const orphans = missingFrom(settings, missingFrom(atFirst, stored));
    // A store that fails for a while names no keys: what was decided about them stays.
    await this.forgetReturned();
    for (const name of orphans) {
      const before = gone.of(name) ?? newRecord(name, now());
      if (before.kept) continue;
      const days = Math.max(patience[settings.kind], before.promised);
      const record = missedUntil(now(), before, days * msPerDay);
      if (record.missedFor >= days * msPerDay) await this.#removeIfPossible(name);
      else {
        // Written before the question, so that another window does not ask as well.
        await gone.note({ ...record, promised: days, asked: true });
        if (!record.asked) this.#options.ask(name, days);
      }
    }
  }

  /** A store that fails for one key must not keep the others; it is tried again at the next look. */
  async #removeIfPossible(name: string): Promise<void> {
    try {
      await this.remove(name);
    } catch (error) {
      if (!(error instanceof SecretStoreError)) throw error;
    }
  }

  /** A connection that is back begins anew, should it go once more. */
  async forgetReturned(): Promise<void> {
    const { gone, namesInSettings } = this.#options;
    const settings = namesInSettings();
    if (settings.kind === "list") await gone.keepOnly(missingFrom(settings, gone.names));
  }

  /** Removes a key, unless its connection has come back; says which. */
  async remove(connectionName: string): Promise<"removed" | "connection-is-back"> {
    const { keys, gone, tellRemoved } = this.#options;
    if (missingFrom(this.#options.namesInSettings(), [connectionName]).length === 0)
      return "connection-is-back";
    const restore = await keys.remove(connectionName);
    const undo = async (): Promise<Keeping | undefined> => {
      const keeping = await restore?.();
      if (keeping !== undefined) await this.keep(connectionName);
      return keeping;
    };
    // Before anything else, which may fail: the way back alone has the key now.
    if (restore !== undefined) tellRemoved(connectionName, undo);
    await gone.forget(connectionName);
    return "removed";
  }

  /** Gives a key to a connection of the same service, unless it has one by now, or the key's own is back. */
  async move(connectionName: string, heir: string): Promise<"moved" | "connection-is-back" | "not-moved"> {
    const { keys, gone, originOf } = this.#options;
    if (missingFrom(this.#options.namesInSettings(), [connectionName]).length === 0)
      return "connection-is-back";
    const origin = await keys.sealedOrigin(connectionName);
    if (origin === undefined || origin !== originOf(heir) || (await keys.has(heir))) return "not-moved";
    await keys.move(connectionName, heir);
    await gone.forget(connectionName);
    return "moved";
  }

  /** The key stays, though no connection uses it, until one of its name comes and goes again. */
  async keep(connectionName: string): Promise<void> {
    const { gone, namesInSettings, now } = this.#options;
    const settings = namesInSettings();
    // By now it may be back, and should it go once more, that is to be asked about.
    if (settings.kind === "list" && settings.names.includes(connectionName)) return;
    await gone.note({ ...newRecord(connectionName, now()), asked: true, kept: true });
  }
}

function newRecord(connection: string, now: number): GoneRecord {
  return { connection, lookedAt: now, missedFor: 0, promised: 0, asked: false, kept: false };
}

/** The clock may have been set since the last look: no time between two looks counts for more than half the patience. */
function missedUntil(now: number, record: GoneRecord, patienceMs: number): GoneRecord {
  const counted = Math.min(Math.max(now - record.lookedAt, 0), patienceMs / 2);
  return { ...record, lookedAt: now, missedFor: record.missedFor + counted };
}

function missingFrom(settings: NamesInSettings, names: readonly string[]): readonly string[] {
  switch (settings.kind) {
    case "list":
      return names.filter((name) => !settings.names.includes(name));
    case "nothing":
      return names;
    case "unreadable":
      return [];
  }
}
