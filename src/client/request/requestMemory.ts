import { type Adaptation, fieldOf, type LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";

/** The receiver of a request. Services reject different fields by origin, model and client style. */
export interface Addressee {
  readonly origin: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** Facts about a rejected request that may interest the user. */
export interface Refusal {
  readonly status: number;
  readonly requestId?: string;
}

/** Remembers the changes that requests need. Read before each request, written after a rejection. */
export interface RequestMemory {
  adaptationsFor(addressee: Addressee): readonly LastingAdaptation[];
  /** Called for each field that a service rejected by name. Repeated if the service rejects a known field again. */
  learn(addressee: Addressee, adaptation: LastingAdaptation, refusal: Refusal): void;
  /** Called if a request was rejected because of an image. */
  learnNoImages(addressee: Addressee, refusal: Refusal): void;
  /** Refused fields of the user's settings. If absent, each request sends them again. */
  readonly refusedValues?: RefusedValues;
}

export const noMemory: RequestMemory = {
  adaptationsFor: () => [],
  learn: () => undefined,
  learnNoImages: () => undefined,
};

/** The fields of a request whose value decides whether the service takes them. */
export interface ValuedFields {
  /** Fields of the user's settings. */
  readonly own: Fields;
  /** The field with the level of the effort. */
  readonly level: Fields;
}

/**
 * Remembers which values services rejected: of the user's own fields, and levels of the effort. Another value is sent
 * again.
 */
export class RefusedValues {
  /** By addressee, the adaptation for each field with its value. */
  readonly #known = new Map<string, Map<string, Adaptation>>();

  /** @param valued the fields of the rejected request */
  add(addressee: Addressee, adaptation: Adaptation, valued: ValuedFields): void {
    const known = this.#known.get(keyOf(addressee)) ?? new Map<string, Adaptation>();
    this.#known.set(keyOf(addressee), known.set(keyOfValue(fieldOf(adaptation), valued), adaptation));
  }

  /** Returns how to adapt a request with these fields. */
  adaptationsFor(addressee: Addressee, valued: ValuedFields): readonly Adaptation[] {
    const known = this.#known.get(keyOf(addressee));
    if (known === undefined) return [];
    const fields = new Set(Object.keys({ ...valued.own, ...valued.level }));
    return [...fields].flatMap((field) => known.get(keyOfValue(field, valued)) ?? []);
  }

  forget(addressee: Addressee): void {
    this.#known.delete(keyOf(addressee));
  }
}

function keyOfValue(field: string, { own, level }: ValuedFields): string {
  return JSON.stringify([field, own[field] ?? null, level[field] ?? null]);
}

function keyOf({ origin, model, clientStyle }: Addressee): string {
  return JSON.stringify([origin, model, clientStyle]);
}
