/** What a command may be handed by somebody who wants to be handed something in turn. */
export interface HostileArguments {
  readonly name: string;
  readonly values: readonly unknown[];
  /** What the values were handed, where they can be called or written to. */
  readonly handed: readonly unknown[];
}

/** @param connection one that there is */
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

/** An object that is whatever it is taken for, and remembers all that it is handed. */
function createListening(): readonly [object: object, handed: readonly unknown[]] {
  const handed: unknown[] = [];
  const traps: ProxyHandler<object> = {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => "listening";
      // Who waits for it would wait for ever.
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
