import { decodePercents } from "../../text/escapes.ts";
/** Who else used an exposed key, or may have. */
export type KeyUser =
  /** `place` as `workspacePlace` gives it. */
  | { readonly kind: "workspace"; readonly name: string; readonly place?: string; readonly isThis: boolean }
  | { readonly kind: "connection"; readonly name: string; readonly shares: "key" | "service" };

/** How the check of the new key ended; `error` where it could not be run to its end. */
export type IncidentCheckOutcome = "passed" | "not-passed" | "cancelled" | "error";

/** What happened to an exposed key. Holds no key; times are ISO 8601 in UTC. */
export interface KeyIncident {
  readonly connection: string;
  /** The place that the key is sealed to, in words. */
  readonly sealedTo: string;
  /** When the replacing of the key began. */
  readonly noticedAt: string;
  /** Files and lines it stood in, as far as known. */
  readonly places: readonly string[];
  /** When the user said that it is revoked; absent where that is still to be done. */
  readonly revokedAt?: string;
  /** Absent where that is still to be done, or the key comes from a variable. */
  readonly replacedAt?: string;
  readonly check?: { readonly at: string; readonly outcome: IncidentCheckOutcome };
  /** Other users of the key, as far as known. */
  readonly alsoUsedBy: readonly KeyUser[];
}

/** One line for an incident record, in English whatever the user's language, since records are filed. */
export function formatIncident(incident: KeyIncident): string {
  const { connection, sealedTo, noticedAt, places, revokedAt, replacedAt, check, alsoUsedBy } = incident;
  return [
    `noticed: ${noticedAt}, exposed API key of "${connection}" (${sealedTo})`,
    `found in: ${list(places)}`,
    `revoked: ${revokedAt ?? "not confirmed"}`,
    `replaced: ${replacedAt ?? "not in the editor"}`,
    `checked: ${check === undefined ? "not yet" : `${check.at}, ${outcomeWords[check.outcome]}`}`,
    `also used by: ${list(alsoUsedBy.map(formatUser))}`,
  ].join("; ");
}

const outcomeWords: Readonly<Record<IncidentCheckOutcome, string>> = {
  passed: "passed",
  "not-passed": "not passed",
  cancelled: "cancelled",
  error: "could not be run to its end",
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
 * Where a workspace lies, short enough to be shown and without the user's name: below the home folder
 * `~/work/acme`, else its last two folders, of another machine with that machine's name.
 * @param uri of the folder or workspace file
 * @param home the home folder's path, `/` between its parts
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

/** Windows writes the letter of a drive large, and the editor small. */
function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
}
