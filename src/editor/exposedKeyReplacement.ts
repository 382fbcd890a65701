import * as v from "valibot";
import * as vscode from "vscode";
import type { Connection } from "../connection/connection.ts";
import type { SearchedKey } from "../connection/exposedKeys.ts";
import { formatIncident, type KeyIncident } from "../connection/incidentRecord.ts";
import { commandIds } from "../contributions.ts";
import type { ConnectionEditing } from "./connectionEditing.ts";
import type { ExposedKeyDiagnostics } from "./exposedKeyDiagnostics.ts";
import type { SearchedKeys } from "./searchedKeys.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

export interface ExposedKeyOptions {
  readonly connections: WorkspaceConnections;
  readonly editing: ConnectionEditing;
  readonly searchedKeys: SearchedKeys;
  readonly exposed: ExposedKeyDiagnostics;
}

const checkSchema = v.object({ ok: v.boolean(), at: v.string() });

/** Revoke, replace, check, and what else used the key. Ends where the user stops it; never shows the key. */
export async function replaceExposedKey(options: ExposedKeyOptions, connection: Connection): Promise<void> {
  const { editing, searchedKeys, exposed } = options;
  const origin = connection.address.kind === "address" ? connection.address.address.origin : "-";
  const noticedAt = now();
  const places = exposed.places(connection.name);
  const before = await searchedKeys.list();
  const revoked = await askRevoked(connection.name, origin);
  if (revoked === undefined) return;
  const revokedAt = revoked ? { revokedAt: now() } : {};
  const replaced = await editing.setKey(connection);
  if (!replaced && connection.keyVariable === undefined) return;
  const replacedAt = replaced ? { replacedAt: now() } : {};
  if (replaced && (await isUnchanged(searchedKeys, before, connection.name))) {
    await vscode.window.showErrorMessage(
      vscode.l10n.t("That is the same key as before. Make a new one at the service and replace it again."),
    );
    return;
  }
  const check = replaced ? await askCheck(connection.name) : undefined;
  const alsoUsedBy = otherUsers(options.connections, before, connection);
  const incident = { connection: connection.name, origin, noticedAt, places, alsoUsedBy };
  await showSummary({ ...incident, ...revokedAt, ...replacedAt, ...(check === undefined ? {} : { check }) });
}

/** Undefined where the user stops. */
async function askRevoked(name: string, origin: string): Promise<boolean | undefined> {
  const done = vscode.l10n.t("It Is Revoked");
  const later = vscode.l10n.t("Revoke Later");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Revoke the key of {0} at the service now.", name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Whoever has seen the key can use it until it is revoked at {0}, or by whoever issued it. Then paste the replacement here.",
        origin,
      ),
    },
    done,
    later,
  );
  return chosen === undefined ? undefined : chosen === done;
}

async function isUnchanged(
  searchedKeys: SearchedKeys,
  before: readonly SearchedKey[],
  name: string,
): Promise<boolean> {
  const old = before.find(({ connectionName }) => connectionName === name);
  const current = (await searchedKeys.list()).find(({ connectionName }) => connectionName === name);
  return old !== undefined && current !== undefined && current.key.isSameAs(old.key);
}

async function askCheck(name: string): Promise<KeyIncident["check"]> {
  const run = vscode.l10n.t("Run Check");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("Check the new key of {0}?", name),
    {
      modal: true,
      detail: vscode.l10n.t("It makes one or two billable requests of 1 generated token each."),
    },
    run,
  );
  if (chosen !== run) return undefined;
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Checking {0}", name);
  const result = await vscode.window.withProgress({ location, title }, () =>
    vscode.commands.executeCommand(commandIds.checkConnection, { connection: name }),
  );
  return v.parse(checkSchema, result);
}

function otherUsers(
  connections: WorkspaceConnections,
  keys: readonly SearchedKey[],
  connection: Connection,
): readonly string[] {
  const t = vscode.l10n.t;
  const keyOf = (name: string) => keys.find(({ connectionName }) => connectionName === name)?.key;
  const old = keyOf(connection.name);
  const others = connections.all.flatMap((other) => {
    if (other.name === connection.name) return [];
    const key = keyOf(other.name);
    if (old !== undefined && key?.isSameAs(old) === true)
      return [t("connection {0} (the same key)", other.name)];
    return sameOrigin(other, connection) ? [t("connection {0} (the same service)", other.name)] : [];
  });
  return connections.current?.name === connection.name ? [t("this workspace"), ...others] : others;
}

function sameOrigin({ address: left }: Connection, { address: right }: Connection): boolean {
  return left.kind === "address" && right.kind === "address" && left.address.origin === right.address.origin;
}

async function showSummary(incident: KeyIncident): Promise<void> {
  const t = vscode.l10n.t;
  const copy = t("Copy Incident Record");
  const list = (items: readonly string[]): string =>
    items.length === 0 ? t("none known") : items.join(", ");
  const detail = [
    incident.revokedAt === undefined ? t("Still to do: revoke the old key at the service.") : "",
    incident.check === undefined
      ? ""
      : incident.check.ok
        ? t("The check passed.")
        : t("The check did not pass."),
    t("Also used by: {0}", list(incident.alsoUsedBy)),
    t("Found in: {0}", list(incident.places)),
    t("Other workspaces and machines that use it are not known here."),
  ].filter((line) => line !== "");
  const message =
    incident.replacedAt === undefined
      ? t("The key of {0} has to be replaced in its environment variable.", incident.connection)
      : t("The key of {0} was replaced.", incident.connection);
  const chosen = await vscode.window.showInformationMessage(
    message,
    { modal: true, detail: detail.join("\n") },
    copy,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(formatIncident(incident));
}

function now(): string {
  return new Date().toISOString();
}
