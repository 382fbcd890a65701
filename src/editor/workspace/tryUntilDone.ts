/** Repeats the work until it succeeds. Resolves to false if the work fails and the user gives up. */
export async function tryUntilDone(
  work: () => Promise<void>,
  offerRetry: (error: unknown) => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(await offerRetry(error))) return false;
    }
  }
}
