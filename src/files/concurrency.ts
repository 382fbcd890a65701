/**
 * Runs the task for each item, up to `ahead` items in advance, and yields the results in order. The task must not
 * reject. If the caller leaves the loop early, up to `ahead` results are wasted.
 */
export async function* mapAhead<Item, Result>(
  ahead: number,
  items: Iterable<Item>,
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    running.push(task(item));
    if (running.length <= ahead) continue;
    const first = running.shift();
    if (first !== undefined) yield await first;
  }
  for (const rest of running) yield await rest;
}

/** Runs the task for each item in order, `atOnce` at a time. Rejects with the first error of a task. */
export async function forEachAtOnce<Item>(
  atOnce: number,
  items: Iterable<Item>,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  async function work(): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await task(next.value);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
