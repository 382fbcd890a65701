import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";

/** What servers refuse differs by who is asked for what, and how. */
export interface Addressee {
  readonly origin: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** What was refused, as far as a person may want to know it. */
export interface Refusal {
  readonly status: number;
  readonly requestId?: string;
}

/** Remembers how requests have to be written. Read before each request, written after a refusal. */
export interface RequestMemory {
  adaptationsFor(addressee: Addressee): readonly LastingAdaptation[];
  /** Called for each field that a server refused by name; known ones come again where it did so again. */
  learn(addressee: Addressee, adaptation: LastingAdaptation, refusal: Refusal): void;
  /** Called where a request was refused for an image in it. */
  learnNoImages(addressee: Addressee, refusal: Refusal): void;
}

/** Remembers nothing. */
export const noMemory: RequestMemory = {
  adaptationsFor: () => [],
  learn: () => undefined,
  learnNoImages: () => undefined,
};
