import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
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
}

export const noMemory: RequestMemory = {
  adaptationsFor: () => [],
  learn: () => undefined,
  learnNoImages: () => undefined,
};
