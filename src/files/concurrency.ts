/**
 * The results of a task for each item, in the items' order, while the task for the next few runs already.
 * The task must not reject. Whoever leaves the loop early has asked for a few results too many.
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

/** Runs the task for each item, in order, so many at a time. Rejects with the first that rejects. */
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
