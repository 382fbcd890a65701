import fc from "fast-check";

type Path = readonly string[];

const mark = "\u0000the damage";
const strangers = ["__proto__", "constructor", "extra", "turnId", "text"];
/** Small replacement values; `anything` rarely generates values this simple. */
const simple = fc.constantFrom("null", "true", "0", '""', "[]", "{}", "[null]");

/**
 * Generates JSON of a value with one change at any depth: something replaced, removed or added.
 *
 * @param anything JSON texts to put in as replacement or addition
 */
export function damagedJson(value: unknown, anything: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const places = placesIn(value);
  const replacement = fc.oneof(simple, anything);
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(replace, remove, ...strangers.map(add)), replacement)
    .map(([path, change, json]) => {
      const whole = JSON.stringify(changedAt(value, path, change)) ?? json;
      return whole.replace(JSON.stringify(mark), () => json);
    });
}

/** Paths of the value itself and of everything in it. */
function placesIn(value: unknown): readonly Path[] {
  return [[], ...membersOf(value).flatMap(([name, inner]) => placesIn(inner).map((path) => [name, ...path]))];
}

function changedAt(value: unknown, [name, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const members = membersOf(value).map(([each, inner]): [string, unknown] => [
    each,
    each === name ? changedAt(inner, rest, change) : inner,
  ]);
  if (!Array.isArray(value)) return Object.fromEntries(members);
  return members.map(([, inner]) => inner).filter((inner) => inner !== undefined);
}

function membersOf(value: unknown): readonly [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries<unknown>({ ...value }) : [];
}

function replace(): unknown {
  return mark;
}

function remove(): unknown {
  return undefined;
}

function add(name: string): (inner: unknown) => unknown {
  return (inner) => {
    if (Array.isArray(inner)) return [...inner.map((each: unknown) => each), mark];
    return typeof inner === "object" && inner !== null ? { ...inner, [name]: mark } : mark;
  };
}
