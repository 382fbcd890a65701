import type { TokenUsage } from "./generation.ts";
import type { KeyRing } from "./keyRing.ts";
import { countTokens } from "./tokens.ts";

/** Counts the tokens of one answer and bills them as they arise, input first. */
export class Bill {
  readonly #keys: KeyRing;
  readonly #key: string;
  #usage: TokenUsage;

  constructor(keys: KeyRing, key: string, inputTokens: number) {
    this.#keys = keys;
    this.#key = key;
    this.#usage = { inputTokens, outputTokens: 0 };
    keys.charge(key, inputTokens);
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  addOutput(text: string): void {
    this.settle({ ...this.#usage, outputTokens: this.#usage.outputTokens + countTokens(text) });
  }

  /** Replaces the usage so far and bills the difference. */
  settle(usage: TokenUsage): void {
    this.#keys.charge(this.#key, total(usage) - total(this.#usage));
    this.#usage = usage;
  }
}

function total({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputTokens;
}
