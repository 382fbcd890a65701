import { randomBytes } from "node:crypto";

/** The limits that a key is created with (specification, section 2). An absent term sets no limit. */
export interface KeyTerms {
  /** Maximum tokens, input plus output; a whole number from 0. */
  readonly budget?: number | undefined;
  /** The service refuses the key from this time on. */
  readonly expiresAt?: Date | undefined;
  /** The models the key may list and use. */
  readonly models?: readonly string[] | undefined;
}

/** The current state of a key. */
export interface KeyRecord {
  readonly key: string;
  readonly terms: KeyTerms;
  readonly revoked: boolean;
  /** Tokens billed so far. */
  readonly spent: number;
}

/** Creates a key that is clearly not a real key. */
function createDemoKey(): string {
  return ["sk", "demo", randomBytes(18).toString("base64url")].join("-");
}

/** The keys of one service. Keeps revoked keys: the service answers them differently from unknown keys. */
export class KeyRing {
  readonly #records = new Map<string, KeyRecord>();

  /** Issues a key and returns it. Throws a `RangeError` if the budget is not a whole number from 0. */
  add(terms: KeyTerms = {}, key: string = createDemoKey()): string {
    checkBudget(terms.budget);
    this.#records.set(key, { key, terms, revoked: false, spent: 0 });
    return key;
  }

  find(key: string): KeyRecord | undefined {
    return this.#records.get(key);
  }

  revoke(key: string): void {
    this.#records.set(key, { ...this.#known(key), revoked: true });
  }

  /** Revokes a key and issues a new one with the same terms and no spent tokens. Throws if the key is unknown. */
  replace(key: string, replacement: string = createDemoKey()): string {
    const { terms } = this.#known(key);
    this.revoke(key);
    return this.add(terms, replacement);
  }

  /** Changes the given terms; `undefined` removes a limit. */
  change(key: string, terms: KeyTerms): void {
    checkBudget(terms.budget);
    const record = this.#known(key);
    this.#records.set(key, { ...record, terms: { ...record.terms, ...terms } });
  }

  /** Bills tokens; a negative number corrects a count that was too high. */
  charge(key: string, tokens: number): void {
    const record = this.#known(key);
    this.#records.set(key, { ...record, spent: record.spent + tokens });
  }

  spent(key: string): number {
    return this.#known(key).spent;
  }

  /** Replaces every key of this ring in the text by `[key]`, so that the text may be stored or shown. */
  redact(text: string): string {
    let redacted = text;
    for (const key of this.#records.keys()) {
      redacted = redacted.replaceAll(key, "[key]");
    }
    return redacted;
  }

  #known(key: string): KeyRecord {
    const record = this.#records.get(key);
    if (record === undefined) {
      throw new Error("This service never issued the key.");
    }
    return record;
  }
}

function checkBudget(budget: number | undefined): void {
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget >= 0)) {
    throw new RangeError("The budget must be a whole number of tokens, 0 or more.");
  }
}
