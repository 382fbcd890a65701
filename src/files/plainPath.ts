/** Names of devices on Windows, with any ending. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?: *\..*)?$/iu;
const maxLength = 4096;

/** Why a path that a model wrote is not used. */
export type PathFault =
  | "empty"
  | "too-long"
  | "control-character"
  | "device-name"
  | "trailing-dot-or-space"
  | "stream";

/**
 * Finds a fault of a path on any system: some systems read such a name as another file than the checked one.
 * Undefined for a plain path.
 *
 * @param path with `/` or `\`
 */
export function findPathFault(path: string): PathFault | undefined {
  if (path.trim() === "") return "empty";
  if (path.length > maxLength) return "too-long";
  if (/\p{Cc}/u.test(path)) return "control-character";
  const names = path.replace(/^[a-z]:(?=[/\\]|$)/iu, "").split(/[/\\]/u);
  if (names.some((name) => name.includes(":"))) return "stream";
  if (names.some((name) => device.test(name))) return "device-name";
  const hasTrailing = names.some((name) => name !== "." && name !== ".." && /[. ]$/u.test(name));
  return hasTrailing ? "trailing-dot-or-space" : undefined;
}
