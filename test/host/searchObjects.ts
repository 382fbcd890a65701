const mostObjects = 1_000_000;

/**
 * Finds the paths from objects to a text, through properties, and members of maps and sets. `searched` counts the
 * objects.
 * @throws Error for a million objects or more
 */
export function searchObjects(
  roots: Readonly<Record<string, unknown>>,
  text: string,
): { readonly found: readonly string[]; readonly searched: number } {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const queue: (readonly [path: string, value: unknown])[] = Object.entries(roots);
  for (let at = 0; at < queue.length && seen.size < mostObjects; at += 1) {
    const [path, value] = queue[at] ?? ["", undefined];
    if (typeof value === "string" && value.includes(text)) found.push(path);
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value))
      continue;
    seen.add(value);
    for (const [name, member] of membersOf(value)) queue.push([`${path}.${name}`, member]);
  }
  if (seen.size >= mostObjects) throw new Error("Too many objects to search.");
  return { found, searched: seen.size };
}

function* membersOf(value: object): Generator<readonly [string, unknown]> {
  // Skips the numbers in a buffer.
  if (ArrayBuffer.isView(value)) return;
  for (const name of Reflect.ownKeys(value)) {
    // Getters are not called: they may have side effects, and they return only what other paths reach. Only the getters
    // of global objects are called.
    const descriptor = Reflect.getOwnPropertyDescriptor(value, name);
    const isOfNode = value === globalThis && descriptor?.get !== undefined;
    if (isOfNode) yield [String(name), Reflect.get(globalThis, name)];
    if (descriptor !== undefined && "value" in descriptor) yield [String(name), descriptor.value];
    if (typeof name === "symbol" && name.description !== undefined) yield ["symbol", name.description];
  }
  if (value instanceof Map) {
    for (const [name, member] of value) {
      yield ["key", name];
      yield [String(name), member];
    }
  }
  if (value instanceof Set) for (const member of value) yield ["member", member];
  yield ["prototype", Reflect.getPrototypeOf(value)];
}
