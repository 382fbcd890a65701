import * as v from "valibot";
import type * as vscode from "vscode";
import type { Addressee, Refusal, RequestMemory } from "../client/requestMemory.ts";
import {
  probeIds,
  type ProbeId,
  type ProbeResult,
  type ProbeState,
  seenStates,
} from "../connection/compatibility.ts";
import { type Adaptation, isSameAdaptation } from "../protocol/adaptation.ts";
import { clientStyles } from "../protocol/wireStyle.ts";

const adaptationSchema = v.variant("kind", [
  v.object({ kind: v.literal("omit"), field: v.pipe(v.string(), v.maxLength(100)) }),
  v.object({ kind: v.literal("rename-cap") }),
  v.object({ kind: v.literal("system-as-user") }),
]);

const learntSchema = v.object({
  adaptation: adaptationSchema,
  /** ISO 8601. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  status: v.number(),
  requestId: v.exactOptional(v.string()),
});

const resultSchema = v.object({
  clientStyle: v.picklist(clientStyles),
  probe: v.picklist(probeIds),
  state: v.picklist(seenStates),
  evidence: v.string(),
  at: v.pipe(v.string(), v.isoTimestamp()),
  status: v.exactOptional(v.number()),
  requestId: v.exactOptional(v.string()),
});

const entrySchema = v.object({
  origin: v.string(),
  model: v.string(),
  clientStyle: v.picklist(clientStyles),
  learnt: v.array(learntSchema),
  results: v.array(resultSchema),
});

type Entry = v.InferOutput<typeof entrySchema>;

/** A refused field, and how requests are written since. */
type LearntRefusal = v.InferOutput<typeof learntSchema>;

/** All that was seen of one origin, model and client style. */
export interface SeenCompatibility {
  readonly results: readonly ProbeResult[];
  readonly learnt: readonly LearntRefusal[];
}

const stateKey = "inference.compatibility";
/** Combinations of origin, model and style that are kept; the longest unused go. */
const maxEntries = 60;
const maxLearnt = 12;
/** Services change: a refused field is tried again after so many milliseconds. */
const refusalLifetime = 30 * 24 * 60 * 60 * 1000;

/**
 * What services were seen to support and to refuse, per origin, model and client style, kept from one
 * window to the next. No key and no text of a conversation is in it. What was not seen is `unknown`.
 */
export class CompatibilityStore implements RequestMemory {
  readonly #state: vscode.Memento;
  readonly #now: () => Date;
  /** What this window wrote: the state's own copy may for a moment be an older one, echoed back to it. */
  readonly #written = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();

  constructor(state: vscode.Memento, now: () => Date = () => new Date()) {
    this.#state = state;
    this.#now = now;
  }

  /** Hears of everything that was seen or forgotten; the result ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a feature was seen to work; ask before it is offered, such as tools or images. */
  stateOf(asked: Addressee, probe: ProbeId): ProbeState {
    return this.seen(asked).results.find((result) => result.probe === probe)?.state ?? "unknown";
  }

  seen(asked: Addressee): SeenCompatibility {
    const { results = [], learnt = [] } = this.#read().find((entry) => isOf(entry, asked)) ?? {};
    const oldest = this.#now().getTime() - refusalLifetime;
    return { results, learnt: learnt.filter(({ at }) => Date.parse(at) >= oldest) };
  }

  adaptationsFor(asked: Addressee): readonly Adaptation[] {
    return this.seen(asked).learnt.map(({ adaptation }) => adaptation);
  }

  learn(asked: Addressee, adaptation: Adaptation, refusal: Refusal): void {
    const { results, learnt } = this.seen(asked);
    const others = learnt.filter((known) => !isSameAdaptation(known.adaptation, adaptation));
    const added = { adaptation, at: this.#now().toISOString(), ...refusal };
    this.#put(asked, { results, learnt: [...others, added].slice(-maxLearnt) });
  }

  /** Takes the place of what the same probe saw before. */
  add(asked: Addressee, result: ProbeResult): void {
    const { results, learnt } = this.seen(asked);
    this.#put(asked, { results: [...results.filter(({ probe }) => probe !== result.probe), result], learnt });
  }

  /** Forgets the refused fields and the results of these probes, which are about to be seen again. */
  forgetProbes(asked: Addressee, probes: readonly ProbeId[]): void {
    const { results } = this.seen(asked);
    this.#put(asked, { results: results.filter(({ probe }) => !probes.includes(probe)), learnt: [] });
  }

  forget(asked: Addressee): void {
    this.#put(asked, { results: [], learnt: [] });
  }

  /** The entry that was written last stands last. */
  #put({ origin, model, clientStyle }: Addressee, { results, learnt }: SeenCompatibility): void {
    const key = JSON.stringify([origin, model, clientStyle]);
    this.#written.delete(key);
    this.#written.set(key, { origin, model, clientStyle, results: [...results], learnt: [...learnt] });
    const filled = this.#read().filter((entry) => entry.results.length > 0 || entry.learnt.length > 0);
    // Should it not be kept on disk, it is learnt again.
    this.#state.update(stateKey, filled.slice(-maxEntries)).then(undefined, () => undefined);
    for (const listener of this.#listeners) listener();
  }

  #read(): readonly Entry[] {
    const written = [...this.#written.values()];
    return [...this.#stored().filter((entry) => !written.some((own) => isOf(own, entry))), ...written];
  }

  /** Entries that cannot be read, such as those of another version, are left out. */
  #stored(): readonly Entry[] {
    const stored = this.#state.get<unknown>(stateKey);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((entry) => {
      const parsed = v.safeParse(entrySchema, entry);
      return parsed.success ? [parsed.output] : [];
    });
  }
}

function isOf(entry: Addressee, { origin, model, clientStyle }: Addressee): boolean {
  return entry.origin === origin && entry.model === model && entry.clientStyle === clientStyle;
}
