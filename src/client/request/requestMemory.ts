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

/** Remembers with which values services rejected the user's own fields. A changed value is sent again. */
export class RefusedValues {
  readonly #known = new Map<
    string,
    Map<string, { readonly adaptation: Adaptation; readonly value: string }>
  >();

  /** @param own the user's fields of this request */
  add(addressee: Addressee, adaptation: Adaptation, own: Fields): void {
    const field = fieldOf(adaptation);
    const known = this.#known.get(keyOf(addressee)) ?? new Map();
    this.#known.set(keyOf(addressee), known.set(field, { adaptation, value: JSON.stringify(own[field]) }));
  }

  /** Returns how to adapt a request with these fields of the user. */
  adaptationsFor(addressee: Addressee, own: Fields): readonly Adaptation[] {
    return [...(this.#known.get(keyOf(addressee)) ?? [])].flatMap(([field, { adaptation, value }]) =>
      JSON.stringify(own[field]) === value ? [adaptation] : [],
    );
  }

  forget(addressee: Addressee): void {
    this.#known.delete(keyOf(addressee));
  }
}

function keyOf({ origin, model, clientStyle }: Addressee): string {
  return JSON.stringify([origin, model, clientStyle]);
}
