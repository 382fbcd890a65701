/** Does what may fail, as often as it is asked for once more; false where it is given up. */
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
