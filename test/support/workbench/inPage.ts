/**
 * A function that runs in the page, from its text: the tests themselves know of no page. What runs there
 * sees nothing of the test but its argument.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what it gives is known to who wrote its text
export function inPage<Result>(source: string): (element: unknown, argument?: unknown) => Result {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion
  return new Function(`return ${source}`)() as (element: unknown, argument?: unknown) => Result;
}
