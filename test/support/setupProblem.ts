/** Something that the machine lacks. The message is one line that says what to do. */
export class SetupProblem extends Error {
  override readonly name = "SetupProblem";
}

/** Returns the text of an error for a person: one line for a `SetupProblem`, otherwise the stack. */
export function describeError(error: unknown): string {
  if (error instanceof SetupProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
