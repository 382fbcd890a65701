import fc from "fast-check";

/** One parser or decoder, and a property that must hold for every input. */
export interface FuzzTarget {
  readonly name: string;
  /** Runs this many cases. A failure report contains the `seed` and `path` that reproduce the failing case. */
  readonly run: (cases: number) => Promise<FuzzResult>;
}

interface FuzzResult {
  readonly cases: number;
  /** Report with the smallest failing case. */
  readonly failure?: string;
}

/** Creates a target. `property` throws if it does not hold. */
export function fuzz<T>(
  name: string,
  given: fc.Arbitrary<T>,
  property: (value: T) => void | Promise<void>,
): FuzzTarget {
  return {
    name,
    run: async (cases) => {
      const details = await fc.check(
        fc.asyncProperty(given, async (value) => {
          await property(value);
          requireCleanPrototypes();
        }),
        { numRuns: cases },
      );
      const failure = details.failed ? fc.defaultReportMessage(details) : undefined;
      return { cases: details.numRuns, ...(failure === undefined ? {} : { failure }) };
    },
  };
}

const cleanNames = Object.getOwnPropertyNames(Object.prototype).length;

/** Throws if an input such as `__proto__` has changed `Object.prototype`. */
function requireCleanPrototypes(): void {
  if (Object.getOwnPropertyNames(Object.prototype).length !== cleanNames) {
    throw new Error("Object.prototype was changed.");
  }
}
