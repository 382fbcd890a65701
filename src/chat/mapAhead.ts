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
