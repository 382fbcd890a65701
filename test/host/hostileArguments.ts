/** Arguments that a hostile caller passes to a command. */
export interface HostileArguments {
  readonly name: string;
  readonly values: readonly unknown[];
  /** Values that the arguments received when they were called or written to. */
  readonly handed: readonly unknown[];
}

/** @param connection the name of an existing connection */
export function hostileArguments(connection: string): readonly HostileArguments[] {
  const [listening, handed] = createListening();
  return [
    { name: "an empty object and one that listens", values: [{}, listening], handed },
    { name: "two objects that listen", values: [listening, listening], handed },
    { name: "nothing", values: [], handed: [] },
    {
      name: "a wish for the key",
      values: [{ connection, billable: true, apiKey: true, key: true, includeKey: true, headers: {} }],
      handed: [],
    },
    {
      name: "a poisoned object",
      values: [JSON.parse(`{"__proto__":{"connection":"${connection}"},"constructor":{"prototype":{}}}`)],
      handed: [],
    },
    { name: "lists", values: [[], [[{}]], null, Number.NaN], handed: [] },
  ];
}

/** An object that accepts any use and records everything it receives. */
function createListening(): readonly [object: object, handed: readonly unknown[]] {
  const handed: unknown[] = [];
  const traps: ProxyHandler<object> = {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => "listening";
      // With a `then`, awaiting the object would never end.
      return name === "then" ? undefined : callable;
    },
    has: () => true,
    set: (_, __, value) => {
      handed.push(value);
      return true;
    },
    apply: (_, self, values) => {
      handed.push(self, values);
      return callable;
    },
    construct: (_, values) => {
      handed.push(values);
      return callable;
    },
  };
  const callable: object = new Proxy((): undefined => undefined, traps);
  return [new Proxy({}, traps), handed];
}
