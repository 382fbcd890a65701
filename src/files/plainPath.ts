import path from "node:path";

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
 * @param given with `/` or `\`
 */
export function findPathFault(given: string): PathFault | undefined {
  if (given.trim() === "") return "empty";
  if (given.length > maxLength) return "too-long";
  if (/\p{Cc}/u.test(given)) return "control-character";
  const names = given.replace(/^[a-z]:(?=[/\\]|$)/iu, "").split(/[/\\]/u);
  if (names.some((name) => name.includes(":"))) return "stream";
  if (names.some((name) => device.test(name))) return "device-name";
  const hasTrailing = names.some((name) => name !== "." && name !== ".." && /[. ]$/u.test(name));
  return hasTrailing ? "trailing-dot-or-space" : undefined;
}

/**
 * Returns the forms of a path in which a file system may read it, in lower case. Some ignore case, Unicode compatibility
 * forms, invisible characters, or dots and spaces at the end. Windows reads what follows a colon as a stream.
 *
 * @param given with `/`
 */
export function plainForms(given: string): readonly string[] {
  const form = given.split("/").map(withoutDisguise).join("/");
  if (!form.includes(":")) return [form];
  return [form, given.split("/").map(withoutStream).map(withoutDisguise).join("/")];
}

function withoutDisguise(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}

function withoutStream(name: string): string {
  return name.replace(/:.*$/su, "");
}

/**
 * Whether a name in a path has the form of a short name of Windows, such as `PACKAG~1.JSO`. Nobody can tell which file
 * it names but Windows, which resolves it with the links.
 *
 * @param given with `/` or `\`
 */
export function mayHaveShortName(given: string): boolean {
  return given
    .split(/[/\\]/u)
    .some((name) => /^(?=.{3,8}(?:\.|$))[^.~\s]{1,6}~\d{1,6}(?:\.[^.]{1,3})?$/u.test(name));
}

type PathFlavor = Pick<path.PlatformPath, "relative" | "isAbsolute" | "sep">;

/**
 * Returns the names below a folder, empty for the folder itself. Undefined outside the folder.
 *
 * @param flavor the rules of Windows or of other systems; by default those of this one
 */
export function namesBelow(
  folder: string,
  place: string,
  flavor: PathFlavor = path,
): readonly string[] | undefined {
  const relative = flavor.relative(folder, place);
  const names = relative.split(flavor.sep).filter((name) => name !== "");
  return names[0] === ".." || flavor.isAbsolute(relative) ? undefined : names;
}

/**
 * Whether file systems there usually ignore case. The system of another machine is not known, and more is excluded if
 * case is ignored.
 */
export function usuallyIgnoresCase(platform: NodeJS.Platform, isOnThisMachine: boolean): boolean {
  return !isOnThisMachine || platform === "win32" || platform === "darwin";
}

/**
 * Returns what an answer named as a path relative to a folder. Undefined if it leads out of the folder.
 *
 * @param named with `/`: relative, or absolute with or without a drive
 * @param folder the path of a URI, such as `/c:/work` or `/home/work`
 */
export function relativeTo(folder: string, named: string): string | undefined {
  const hasDrive = /^[a-z]:/i.test(named);
  const root = `${folder.replace(/^\/(?=[a-z]:)/i, "").replace(/\/$/, "")}/`;
  const isAbsolute = named.startsWith("/") || /^[a-z]:\//i.test(named);
  const inRoot = isAbsolute && named.toLowerCase().startsWith(root.toLowerCase());
  if (hasDrive && !inRoot) return undefined;
  const relative = path.posix.normalize(inRoot ? named.slice(root.length) : named.replace(/^\/+/, ""));
  const leaves = relative === ".." || relative.startsWith("../") || relative.startsWith("/");
  return leaves || relative === "." || relative.includes("\0") ? undefined : relative;
}
