import fc from "fast-check";

/** One parser or decoder, and what has to hold whatever it is given. */
export interface FuzzTarget {
  readonly name: string;
  /** Runs so many cases; `seed` and `path` in the report find a failing one again. */
  readonly run: (cases: number) => Promise<FuzzResult>;
}

interface FuzzResult {
  readonly cases: number;
  /** With the smallest case that fails. */
  readonly failure?: string;
}

/** A target whose property throws where it does not hold. */
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

/** Whatever a text says of `__proto__`, nothing of it may stick. */
function requireCleanPrototypes(): void {
  if (Object.getOwnPropertyNames(Object.prototype).length !== cleanNames) {
    throw new Error("Object.prototype was changed.");
  }
}
