/** A machine that Inference Chat can run on in a remote window: the user's own computer, or the remote machine. */
export type Side = "local" | "remote";

/** Facts about a window, from VS Code. */
export interface WindowFacts {
  /** Kind of the remote machine, such as `ssh-remote` or `wsl`; undefined in a local window. */
  readonly remoteName: string | undefined;
  readonly isWeb: boolean;
  /** Whether the extension runs where the window is. */
  readonly runsWithWindow: boolean;
}

/** Returns where the extension runs. Undefined if it can run on one machine only, as in a browser. */
export function sideOf({ remoteName, isWeb, runsWithWindow }: WindowFacts): Side | undefined {
  if (remoteName === undefined || isWeb) return undefined;
  return runsWithWindow ? "local" : "remote";
}

/**
 * Whether `localhost` is a machine that another window of the same user does not mean. On vscode.dev, all tunnels share
 * one secret storage. Other servers in a browser have their own.
 */
export function isOnOneOfSeveralMachines(facts: WindowFacts): boolean {
  return sideOf(facts) === "remote" || (facts.isWeb && facts.remoteName === "tunnel");
}

export function otherSide(side: Side): Side {
  return side === "local" ? "remote" : "local";
}

/** Returns the side that a value of `remote.extensionKind` prefers for an extension. The default is the user's computer. */
export function preferredSide(setting: unknown, extension: string): Side {
  const kind = Object.entries(recordOf(setting)).find(([id]) => isSameId(id, extension))?.[1];
  const first: unknown = Array.isArray(kind) ? kind[0] : kind;
  return first === "workspace" ? "remote" : "local";
}

/**
 * Returns the user's value of `remote.extensionKind` with another side for one extension. Undefined if nothing is left.
 * If the extension is not installed on the remote machine, it stays on the user's computer.
 */
export function withPreferredSide(setting: unknown, extension: string, side: Side): object | undefined {
  const others = Object.entries(recordOf(setting)).filter(([id]) => !isSameId(id, extension));
  const own = side === "remote" ? [[extension, ["workspace", "ui"]] as const] : [];
  const entries = [...others, ...own];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function recordOf(setting: unknown): object {
  return typeof setting === "object" && setting !== null && !Array.isArray(setting) ? setting : {};
}

/** VS Code ignores case in IDs of extensions. */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
