import * as vscode from "vscode";
import type { ApiKey } from "../../client/key/apiKey.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { checkedStyles } from "../../connection/check/checkSteps.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import {
  formatIncident,
  type IncidentCheckOutcome,
  type KeyIncident,
  type KeyUser,
  workspacePlace,
} from "../../connection/exposedKeys/incidentRecord.ts";
import { toAbortSignal } from "../shared/abort.ts";
import type { ConnectionEditing } from "../connections/connectionEditing.ts";
import type { ExposedKeyDiagnostics } from "./exposedKeyDiagnostics.ts";
import { showError, showInformation, showProgress, showSummary, showWarning } from "../shared/notices.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { type WorkspaceConnections, thisWorkspace } from "../workspace/workspaceConnections.ts";
import { homedir } from "node:os";
import type { KnownWorkspace } from "../workspace/workspaceBinding.ts";

export interface ExposedKeyOptions {
  readonly connections: WorkspaceConnections;
  readonly editing: ConnectionEditing;
  readonly searchedKeys: SearchedKeys;
  readonly exposed: ExposedKeyDiagnostics;
  /** Runs the billable check. Rejects if aborted. */
  readonly check: (connection: Connection, signal: AbortSignal) => Promise<{ readonly ok: boolean }>;
}

/**
 * Guides the user through revoking, replacing and checking a key, then lists where else it is used. If the user stops
 * after a completed step, still shows the summary.
 */
export async function replaceExposedKey(options: ExposedKeyOptions, connection: Connection): Promise<void> {
  const { connections, searchedKeys, exposed } = options;
  const noticedAt = now();
  const places = exposed.places(connection.name);
  const before = await searchedKeys.list();
  const incident = {
    connection: connection.name,
    sealedTo: sealOf(connection)?.toString() ?? "-",
    noticedAt,
    places,
    alsoUsedBy: keyUsers(connections, before, connection),
  };
  const revoked = await confirmRevoked(connection.name, incident.sealedTo);
  if (revoked === undefined) return;
  const revokedAt = revoked ? { revokedAt: now() } : {};
  const replaced = await promptForReplacement(options, connection, before);
  if (!replaced && !revoked && connection.keyVariable === undefined) return;
  const replacedAt = replaced ? { replacedAt: now() } : {};
  const check = replaced ? await offerCheck(options, connection) : undefined;
  await showReplacementSummary(
    { ...incident, ...revokedAt, ...replacedAt, ...(check === undefined ? {} : { check }) },
    connection.keyVariable,
  );
}

/** Undefined if the user cancels. */
async function confirmRevoked(name: string, sealedTo: string): Promise<boolean | undefined> {
  const done = vscode.l10n.t("Mark as Revoked");
  const later = vscode.l10n.t("Revoke Later");
  const chosen = await showWarning(
    vscode.l10n.t("Revoke the old key for '{0}' at the service now.", name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Anyone who has seen the key can use it until it is revoked at {0}. Revoke the key there, or ask the person who gave it to you. You can enter the new key in the next step.",
        sealedTo,
      ),
    },
    done,
    later,
  );
  return chosen === undefined ? undefined : chosen === done;
}

/**
 * Asks until the key differs from the old one.
 * Returns false if the user cancels, or if the key is in an environment variable.
 */
async function promptForReplacement(
  options: ExposedKeyOptions,
  connection: Connection,
  before: readonly SearchedKey[],
): Promise<boolean> {
  while ((await options.editing.setKey(connection)) !== undefined) {
    if (!(await isUnchanged(options.searchedKeys, before, connection.name))) return true;
    const again = vscode.l10n.t("Enter a Different Key");
    const chosen = await showError(
      vscode.l10n.t("This is the same key as before."),
      {
        modal: true,
        detail: vscode.l10n.t("Create a new key at the service and paste it here."),
      },
      again,
    );
    if (chosen !== again) return false;
  }
  return false;
}

async function isUnchanged(
  searchedKeys: SearchedKeys,
  before: readonly SearchedKey[],
  name: string,
): Promise<boolean> {
  const old = keyOf(before, name);
  const current = keyOf(await searchedKeys.list(), name);
  return old !== undefined && current !== undefined && current.isSameAs(old);
}

/** The key of a connection, not the value of one of its further headers. */
function keyOf(keys: readonly SearchedKey[], name: string): ApiKey | undefined {
  return keys.find(({ connectionName, isHeader }) => connectionName === name && isHeader === undefined)?.key;
}

async function offerCheck(options: ExposedKeyOptions, connection: Connection): Promise<KeyIncident["check"]> {
  const run = vscode.l10n.t("Run Check");
  const styles = checkedStyles(options.connections.clientStyleFor(connection));
  const chosen = await showInformation(
    vscode.l10n.t("Check the new key for '{0}'?", connection.name),
    {
      modal: true,
      detail:
        styles.length > 1
          ? vscode.l10n.t("Sends 2 billable requests. Each answer is limited to 1 token.")
          : vscode.l10n.t("Sends 1 billable request. The answer is limited to 1 token."),
    },
    run,
  );
  if (chosen !== run) return undefined;
  return { outcome: await runCheck(options, connection), at: now() };
}

/** Returns an outcome even if the check fails, so that the incident record is not lost. */
async function runCheck({ check }: ExposedKeyOptions, connection: Connection): Promise<IncidentCheckOutcome> {
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Checking '{0}'...", connection.name);
  return showProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const signal = toAbortSignal(token);
    try {
      const { ok } = await check(connection, signal);
      return ok ? "passed" : "not-passed";
    } catch {
      return signal.aborted ? "cancelled" : "error";
    }
  });
}

async function showReplacementSummary(incident: KeyIncident, keyVariable: string | undefined): Promise<void> {
  const t = vscode.l10n.t;
  const list = (items: readonly string[]): string =>
    items.length === 0 ? t("none known") : items.join(", ");
  const detail = [
    ...(incident.revokedAt === undefined ? [t("Still to do: revoke the old key at the service.")] : []),
    ...(incident.replacedAt === undefined && keyVariable === undefined
      ? [t("Still to do: run Set API Key to store a new key.")]
      : []),
    ...(incident.check === undefined ? [] : [describeOutcome(incident.check.outcome)]),
    t("Key also used by: {0}", list(incident.alsoUsedBy.map(describeKeyUser))),
    t("Key found in: {0}", list(incident.places)),
    t("Inference Chat can't tell whether other computers use this key."),
  ];
  const message = describeReplacement(incident, keyVariable);
  if (await showSummary(message, detail.join("\n"), t("Copy Incident Record")))
    await vscode.env.clipboard.writeText(formatIncident(incident));
}

function describeReplacement(
  { connection, replacedAt }: KeyIncident,
  keyVariable: string | undefined,
): string {
  const t = vscode.l10n.t;
  if (replacedAt !== undefined) return t("Replaced the API key for '{0}'.", connection);
  return keyVariable === undefined
    ? t("The key for '{0}' has not been replaced yet.", connection)
    : t("Replace the key for '{0}' in the environment variable {1}.", connection, keyVariable);
}

function describeOutcome(outcome: IncidentCheckOutcome): string {
  const t = vscode.l10n.t;
  switch (outcome) {
    case "passed":
      return t("The new key passed the check.");
    case "not-passed":
      return t("The new key failed the check. Run Check Connection to see why.");
    case "cancelled":
      return t("The check of the new key was canceled.");
    case "error":
      return t("The check of the new key didn't finish. Run Check Connection.");
  }
}

function now(): string {
  return new Date().toISOString();
}

/** Lists other users of a key: workspaces with the connection, and connections with the same key or service. */
function keyUsers(
  connections: WorkspaceConnections,
  keys: readonly SearchedKey[],
  connection: Connection,
): readonly KeyUser[] {
  const here = thisWorkspace();
  const bound = connections.workspacesOf(connection.name);
  const isUsedHere = connections.current?.name === connection.name;
  const others = bound.filter(({ uri }) => uri !== here?.uri);
  return [
    ...(isUsedHere && here !== undefined ? [workspaceUser(here, true)] : []),
    ...others.map((workspace) => workspaceUser(workspace, false)),
    ...otherConnections(connections, keys, connection),
  ];
}

function describeKeyUser(user: KeyUser): string {
  const t = vscode.l10n.t;
  switch (user.kind) {
    case "workspace":
      if (user.isThis) return t("this workspace ({0})", user.name);
      return user.place === undefined
        ? t("workspace {0}", user.name)
        : t("workspace {0} ({1})", user.name, user.place);
    case "connection":
      return user.shares === "key"
        ? t("connection {0} (the same key)", user.name)
        : t("connection {0} (the same service)", user.name);
  }
}

function workspaceUser({ name, uri }: KnownWorkspace, isThis: boolean): KeyUser {
  const place = workspacePlace(uri, homedir().replaceAll("\\", "/"));
  return { kind: "workspace", name, ...(place === undefined ? {} : { place }), isThis };
}

function otherConnections(
  connections: WorkspaceConnections,
  keys: readonly SearchedKey[],
  connection: Connection,
): readonly KeyUser[] {
  const old = keyOf(keys, connection.name);
  const seal = sealOf(connection);
  return connections.all.flatMap((other): readonly KeyUser[] => {
    const { name } = other;
    if (name === connection.name) return [];
    if (old !== undefined && keyOf(keys, name)?.isSameAs(old) === true)
      return [{ kind: "connection", name, shares: "key" }];
    const isSameService = seal !== undefined && sealOf(other)?.isSameAs(seal) === true;
    return isSameService ? [{ kind: "connection", name, shares: "service" }] : [];
  });
}

function sealOf({ address }: Connection): KeySeal | undefined {
  return address.kind === "address" ? KeySeal.of(address.address) : undefined;
}
