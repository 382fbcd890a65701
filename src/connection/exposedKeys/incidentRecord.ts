import { decodePercents } from "../../text/escapes.ts";
/** A workspace or another connection that used an exposed key, or may have used it. */
export type KeyUser =
  /** `place` has the format of `workspacePlace`. */
  | { readonly kind: "workspace"; readonly name: string; readonly place?: string; readonly isThis: boolean }
  | { readonly kind: "connection"; readonly name: string; readonly shares: "key" | "service" };

/** How the check of the new key ended. `error`: the check itself failed. */
export type IncidentCheckOutcome = "passed" | "not-passed" | "cancelled" | "error";

/** The history of an exposed key. Does not contain the key. Times are ISO 8601 in UTC. */
export interface KeyIncident {
  readonly connection: string;
  /** Description of the origin that the key is sealed to. */
  readonly sealedTo: string;
  /** Time when the user started to replace the key. */
  readonly noticedAt: string;
  /** Known files and lines that contained the key. */
  readonly places: readonly string[];
  /** Time when the user confirmed that the key is revoked; absent before that. */
  readonly revokedAt?: string;
  /** Absent if the key has not been replaced yet, or comes from an environment variable. */
  readonly replacedAt?: string;
  readonly check?: { readonly at: string; readonly outcome: IncidentCheckOutcome };
  /** Other known users of the key. */
  readonly alsoUsedBy: readonly KeyUser[];
}

/** Formats one line for an incident record. Always in English. */
export function formatIncident(incident: KeyIncident): string {
  const { connection, sealedTo, noticedAt, places, revokedAt, replacedAt, check, alsoUsedBy } = incident;
  return [
    `noticed: ${noticedAt}, exposed API key of "${connection}" (${sealedTo})`,
    `found in: ${list(places)}`,
    `revoked: ${revokedAt ?? "not confirmed"}`,
    `replaced: ${replacedAt ?? "not in VS Code"}`,
    `checked: ${check === undefined ? "not yet" : `${check.at}, ${outcomeWords[check.outcome]}`}`,
    `also used by: ${list(alsoUsedBy.map(formatUser))}`,
  ].join("; ");
}

const outcomeWords: Readonly<Record<IncidentCheckOutcome, string>> = {
  passed: "passed",
  "not-passed": "not passed",
  cancelled: "canceled",
  error: "did not finish",
};

function formatUser(user: KeyUser): string {
  switch (user.kind) {
    case "workspace":
      return `workspace ${user.name}${user.place === undefined ? "" : ` (${user.place})`}`;
    case "connection":
      return `connection ${user.name} (the same ${user.shares})`;
  }
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "none known" : items.join(", ");
}

/**
 * Returns a short location of a workspace, or undefined if `uri` is invalid. Below the home folder: `~/work/acme`, so
 * that the user's name is not included. Elsewhere: the last two folders. Adds the host name of another machine.
 * @param uri the folder or workspace file
 * @param home path of the home folder, with `/` as separator
 */
export function workspacePlace(uri: string, home: string): string | undefined {
  const url = URL.parse(uri);
  if (url === null) return undefined;
  const path = decodePercents(url.pathname);
  if (url.protocol === "file:") {
    const inHome = pathBelow(withSmallDrive(path.replace(/^\/(?=[a-z]:)/i, "")), withSmallDrive(home));
    if (inHome !== undefined) return inHome === "" ? "~" : `~/${inHome}`;
  }
  const end = path.split("/").filter(Boolean).slice(-2).join("/");
  return url.host === "" ? `…/${end}` : `${decodePercents(url.host)}: …/${end}`;
}

function pathBelow(path: string, home: string): string | undefined {
  const folder = home.replace(/\/+$/, "");
  if (folder === "") return undefined;
  if (path === folder) return "";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/** Windows writes drive letters in upper case, VS Code in lower case. */
function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
}
