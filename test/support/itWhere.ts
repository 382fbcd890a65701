/**
 * Returns Mocha's `it` where a test can run. Elsewhere the returned function says which test is left out, and why.
 * Mocha's own skipping fails a run.
 */
export function itWhere(
  canRun: boolean,
  why: string,
): (title: string, test: () => PromiseLike<void> | void) => void {
  return (title, test) => {
    if (canRun) it(title, test);
    else console.log(`  - left out: "${title}", ${why}`);
  };
}

/** For tests that need modes, links or names that Windows lacks. */
export const itBesidesWindows = itWhere(
  process.platform !== "win32",
  "since Windows has no such modes, links or names",
);
