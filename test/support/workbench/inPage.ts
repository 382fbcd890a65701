/**
 * Creates a function that runs in the page, from its source: the tests have no DOM. The function can use only its
 * arguments, no variables of the test.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what it gives is known to who wrote its text
export function inPage<Result>(source: string): (element: unknown, argument?: unknown) => Result {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion
  return new Function(`return ${source}`)() as (element: unknown, argument?: unknown) => Result;
}
