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
