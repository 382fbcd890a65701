/** Something the machine lacks. The message is one line that says what to do. */
export class SetupProblem extends Error {
  override readonly name = "SetupProblem";
}

/** What a person should read about an error: one line for a missing piece, else the stack. */
export function describeError(error: unknown): string {
  if (error instanceof SetupProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
