/**
 * Creates a function from its source. The function runs in the page, so it can use its arguments but no variables of
 * the test.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what it gives is known to who wrote its text
export function inPage<Result>(source: string): (element: unknown, argument?: unknown) => Result {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion
  return new Function(`return ${source}`)() as (element: unknown, argument?: unknown) => Result;
}
