import { randomBytes } from "node:crypto";

/** What is chosen when a key is created (specification, section 2). An absent term sets no limit. */
export interface KeyTerms {
  /** Whole tokens, input and output together; at least 0. */
  readonly budget?: number | undefined;
  /** From this moment on the key is refused. */
  readonly expiresAt?: Date | undefined;
  /** The models the key may list and use. */
  readonly models?: readonly string[] | undefined;
}

/** A key as the service sees it at this moment. */
export interface KeyRecord {
  readonly key: string;
  readonly terms: KeyTerms;
  readonly revoked: boolean;
  /** Tokens billed so far. */
  readonly spent: number;
}

/** A fresh key that is plainly no real one. */
function createDemoKey(): string {
  return ["sk", "demo", randomBytes(18).toString("base64url")].join("-");
}

/** The keys of one service. A revoked key stays known, so that it is told from one never issued. */
export class KeyRing {
  readonly #records = new Map<string, KeyRecord>();

  /** Issues a key and returns it. Throws a RangeError for a budget that is no whole number. */
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

  /** Revokes a key and issues another on the same terms, with nothing spent. */
  replace(key: string, replacement: string = createDemoKey()): string {
    const { terms } = this.#known(key);
    this.revoke(key);
    return this.add(terms, replacement);
  }

  /** Changes the terms named; a term given as `undefined` is lifted. */
  change(key: string, terms: KeyTerms): void {
    checkBudget(terms.budget);
    const record = this.#known(key);
    this.#records.set(key, { ...record, terms: { ...record.terms, ...terms } });
  }

  /** Bills tokens; a negative number gives back what was counted too high. */
  charge(key: string, tokens: number): void {
    const record = this.#known(key);
    this.#records.set(key, { ...record, spent: record.spent + tokens });
  }

  /** Tokens billed to a key so far. */
  spent(key: string): number {
    return this.#known(key).spent;
  }

  /** The text without any key of this ring, for what is kept or shown. */
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
      throw new Error("This key was never issued.");
    }
    return record;
  }
}

function checkBudget(budget: number | undefined): void {
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget >= 0)) {
    throw new RangeError("A budget is a whole number of tokens, 0 or more.");
  }
}
