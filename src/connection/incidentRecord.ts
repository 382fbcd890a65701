/** What happened to an exposed key. Holds no key; times are ISO 8601 in UTC. */
export interface KeyIncident {
  readonly connection: string;
  readonly origin: string;
  /** When the replacing of the key began. */
  readonly noticedAt: string;
  /** Files and lines it stood in, as far as known. */
  readonly places: readonly string[];
  /** When the user said that it is revoked; absent where that is still to be done. */
  readonly revokedAt?: string;
  /** Absent where the key comes from a variable, which is replaced outside of the editor. */
  readonly replacedAt?: string;
  readonly check?: { readonly at: string; readonly ok: boolean };
  /** Other users of the key, as far as known. */
  readonly alsoUsedBy: readonly string[];
}

/** One line for an incident record, in English whatever the user's language, since records are filed. */
export function formatIncident(incident: KeyIncident): string {
  const { connection, origin, noticedAt, places, revokedAt, replacedAt, check, alsoUsedBy } = incident;
  return [
    `${noticedAt} exposed API key of "${connection}" (${origin})`,
    `found in: ${list(places)}`,
    `revoked: ${revokedAt ?? "not confirmed"}`,
    `replaced: ${replacedAt ?? "not in the editor"}`,
    `checked: ${check === undefined ? "not yet" : `${check.at} ${check.ok ? "passed" : "not passed"}`}`,
    `also used by: ${list(alsoUsedBy)}`,
  ].join("; ");
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "none known" : items.join(", ");
}
