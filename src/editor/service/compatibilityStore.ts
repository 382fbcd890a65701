import * as v from "valibot";
import {
  type Addressee,
  type Refusal,
  RefusedValues,
  type RequestMemory,
} from "../../client/request/requestMemory.ts";
import {
  probeIds,
  type ProbeId,
  type ProbeResult,
  type ProbeState,
  seenStates,
} from "../../connection/compatibility/compatibility.ts";
import { type LastingAdaptation, isSameAdaptation } from "../../protocol/encode/adaptation.ts";
import type { State } from "../workspace/state.ts";
import { timeSchema } from "../../chat/transcript/transcriptSchema.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";

/** Results and refusals for one origin, model, and client style. */
interface SeenCompatibility {
  readonly results: readonly ProbeResult[];
  readonly learnt: readonly LearntRefusal[];
}

const stateKey = "inference.compatibility";
/** Maximum number of stored combinations of origin, model, and client style. The least recently changed are dropped. */
const maxEntries = 60;
/** Milliseconds after which a refused field is tried again, because services change. */
const refusalLifetime = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds after which a forgotten item's stamp is dropped. By then, no open window should hold the item. */
const forgottenLifetime = refusalLifetime;

/**
 * Stores which features services support and refuse, per origin, model, and client style, across windows. Contains no
 * key and no text of a conversation. An unseen feature is `unknown`.
 *
 * VS Code's state has no transactions. Each window writes the whole state and may restore what another window has just
 * replaced. So every item has a stamp, and a forgotten item leaves its stamp behind.
 */
export class CompatibilityStore implements RequestMemory {
  readonly #state: State;
  readonly #now: () => Date;
  /** The entries that this window wrote. The state's own copy may be older for a moment. */
  #written: readonly Entry[] = [];
  readonly #listeners = new Set<() => void>();
  /** Only in memory, because values of the user's settings are not stored elsewhere. */
  readonly refusedValues = new RefusedValues();

  readonly #refusedImage: () => string;

  /** @param refusedImage returns a sentence for the user: a request with an image was refused */
  constructor(state: State, now: () => Date = () => new Date(), refusedImage = (): string => "") {
    this.#state = state;
    this.#now = now;
    this.#refusedImage = refusedImage;
  }

  /** Calls the listener after each change. The result removes the listener. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a feature works, by the last probe. Call this before you offer tools or images. */
  stateOf(addressee: Addressee, probe: ProbeId): ProbeState {
    return this.seen(addressee).results.find((result) => result.probe === probe)?.state ?? "unknown";
  }

  seen(addressee: Addressee): SeenCompatibility {
    const { results, learnt } = this.#read().find((entry) => isOf(entry, addressee)) ?? emptyEntry(addressee);
    const oldest = this.#now().getTime() - refusalLifetime;
    return { results, learnt: learnt.filter(({ at }) => Date.parse(at) >= oldest) };
  }

  adaptationsFor(addressee: Addressee): readonly LastingAdaptation[] {
    return this.seen(addressee).learnt.map(({ adaptation }) => adaptation);
  }

  learn(addressee: Addressee, adaptation: LastingAdaptation, refusal: Refusal): void {
    const at = this.#now().toISOString();
    this.#write(addressee, (stamp) => ({ learnt: [{ stamp, adaptation, at, ...refusal }] }));
  }

  learnNoImages(addressee: Addressee, refusal: Refusal): void {
    const at = this.#now().toISOString();
    const { clientStyle } = addressee;
    const evidence = this.#refusedImage();
    this.add(addressee, { clientStyle, probe: "image", state: "no", evidence, at, ...refusal });
  }

  /** Replaces the earlier result of the same probe. */
  add(addressee: Addressee, result: ProbeResult): void {
    this.#write(addressee, (stamp) => ({ results: [{ stamp, ...result }] }));
  }

  /** Forgets which fields were refused, because they are tried again now. Keeps the results, which cost tokens. */
  forgetRefusals(addressee: Addressee): void {
    this.#forget(addressee, ["learnt"]);
  }

  /**
   * Forgets all results and refusals. The returned function restores each result that has no newer one. It restores the
   * refusals if nothing was changed since.
   */
  forget(addressee: Addressee): () => void {
    const before = this.seen(addressee);
    const at = this.#forget(addressee, [...probeIds, "learnt"]);
    return () => this.#restore(addressee, before, at);
  }

  #restore(addressee: Addressee, { results, learnt }: SeenCompatibility, forgottenAt: number): void {
    const now = this.#read().find((entry) => isOf(entry, addressee)) ?? emptyEntry(addressee);
    const isMissing = ({ probe }: ProbeResult): boolean => now.results.every((each) => each.probe !== probe);
    const isUntouched = stampOf(now) <= forgottenAt;
    this.#write(addressee, (stamp) => ({
      results: results.filter(isMissing).map((result) => ({ ...result, stamp })),
      learnt: isUntouched ? learnt.map((refusal) => ({ ...refusal, stamp })) : [],
    }));
  }

  /** Returns the stamp of this change. */
  #forget(addressee: Addressee, forgotten: readonly Forgettable[]): number {
    this.refusedValues.forget(addressee);
    return this.#write(addressee, (stamp) => ({ forgotten: forgotten.map((what) => ({ stamp, what })) }));
  }

  /** Writes a change and returns its stamp. The entries are sorted by their latest change. */
  #write(addressee: Addressee, changes: (stamp: number) => Partial<Entry>): number {
    const before = this.#read();
    const stamp = Math.max(this.#now().getTime(), ...before.map((entry) => stampOf(entry) + 1));
    const added = { ...emptyEntry(addressee), ...changes(stamp) };
    this.#written = joinAll([...before, added])
      .toSorted((one, other) => stampOf(one) - stampOf(other))
      .filter((entry) => this.#isRelevant(entry))
      .slice(-maxEntries);
    // If the write fails, the store learns the same again from later requests.
    this.#state.update(stateKey, this.#written).then(undefined, () => undefined);
    for (const listener of this.#listeners) listener();
    return stamp;
  }

  #isRelevant(entry: Entry): boolean {
    const holds = entry.results.length > 0 || entry.learnt.length > 0;
    return holds || stampOf(entry) >= this.#now().getTime() - forgottenLifetime;
  }

  #read(): readonly Entry[] {
    return joinAll([...this.#stored(), ...this.#written]);
  }

  /** Drops entries that can't be parsed, such as entries of another version. */
  #stored(): readonly Entry[] {
    const stored = this.#state.get(stateKey);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((entry) => {
      const parsed = v.safeParse(entrySchema, entry);
      return parsed.success ? [parsed.output] : [];
    });
  }
}

function joinAll(entries: readonly Entry[]): readonly Entry[] {
  const joined = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.origin, entry.model, entry.clientStyle]);
    const same = joined.get(key);
    joined.set(key, same === undefined ? entry : joinEntries(same, entry));
  }
  return [...joined.values()];
}

/** Orders changes in all windows: the time in milliseconds, or one more than the newest stamp so far. */
const stamp = v.pipe(v.number(), v.integer(), v.minValue(0));

const adaptationSchema = v.variant("kind", [
  v.object({ kind: v.literal("omit"), field: v.pipe(v.string(), v.maxLength(100)) }),
  v.object({ kind: v.literal("omit-thinking") }),
  v.object({ kind: v.literal("rename-cap") }),
  v.object({ kind: v.literal("system-as-user") }),
  v.object({ kind: v.literal("fill-reasoning") }),
]);

const learntSchema = v.object({
  stamp,
  adaptation: adaptationSchema,
  at: timeSchema,
  status: v.number(),
  requestId: v.exactOptional(v.string()),
});

const resultSchema = v.object({
  stamp,
  clientStyle: v.picklist(clientStyles),
  probe: v.picklist(probeIds),
  state: v.picklist(seenStates),
  evidence: v.string(),
  at: timeSchema,
  status: v.exactOptional(v.number()),
  requestId: v.exactOptional(v.string()),
});

/** A forgotten item stays forgotten, even if another window still holds it. */
const forgottenSchema = v.object({ stamp, what: v.picklist([...probeIds, "learnt"]) });

const entrySchema = v.object({
  origin: v.string(),
  model: v.string(),
  clientStyle: v.picklist(clientStyles),
  learnt: v.array(learntSchema),
  results: v.array(resultSchema),
  forgotten: v.array(forgottenSchema),
});

/** Results, refusals, and forgotten items for one origin, model, and client style. */
type Entry = v.InferOutput<typeof entrySchema>;

/** A refusal, and how requests have been adapted since. */
type LearntRefusal = v.InferOutput<typeof learntSchema>;

type Forgettable = ProbeId | "learnt";

const maxLearnt = 12;

function emptyEntry({ origin, model, clientStyle }: Addressee): Entry {
  return { origin, model, clientStyle, learnt: [], results: [], forgotten: [] };
}

function isOf(entry: Addressee, { origin, model, clientStyle }: Addressee): boolean {
  return entry.origin === origin && entry.model === model && entry.clientStyle === clientStyle;
}

/**
 * Joins what two windows know. Keeps the newest version of each item unless the item was forgotten later. The order of
 * joining does not matter.
 */
function joinEntries(one: Entry, other: Entry): Entry {
  const forgotten = newest([...one.forgotten, ...other.forgotten], (a, b) => a.what === b.what);
  const isKept = (what: Forgettable, written: number): boolean =>
    forgotten.every((each) => each.what !== what || each.stamp < written);
  const results = newest([...one.results, ...other.results], (a, b) => a.probe === b.probe);
  const learnt = newest([...one.learnt, ...other.learnt], (a, b) =>
    isSameAdaptation(a.adaptation, b.adaptation),
  );
  return {
    ...one,
    forgotten,
    results: results.filter((result) => isKept(result.probe, result.stamp)),
    learnt: learnt.filter((refusal) => isKept("learnt", refusal.stamp)).slice(-maxLearnt),
  };
}

/** The stamp of the latest change in the entry. */
function stampOf({ learnt, results, forgotten }: Entry): number {
  return Math.max(0, ...[...learnt, ...results, ...forgotten].map((each) => each.stamp));
}

/** Keeps only the newest of equal items. Sorts by stamp. */
function newest<T extends { readonly stamp: number }>(
  all: readonly T[],
  isSame: (one: T, other: T) => boolean,
): T[] {
  const sorted = all.toSorted((one, other) => one.stamp - other.stamp);
  return sorted.filter((each, index) => !sorted.slice(index + 1).some((later) => isSame(each, later)));
}
