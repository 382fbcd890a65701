/** Whether the system gave this code, such as `ENOENT`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
