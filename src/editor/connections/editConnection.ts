import * as vscode from "vscode";
import { type Connection, unencryptedHost } from "../../connection/setup/connection.ts";
import { readExpiry, expiryInBrief } from "../../connection/setup/expiry.ts";
import { commandIds } from "../../contributions.ts";
import { pickConnection } from "../workspace/chooseConnection.ts";
import type { ConnectionEditing } from "./connectionEditing.ts";
import type { ConnectionTerms } from "./connectionTerms.ts";
import { withSecretStore } from "../key/keyKeeping.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

export interface EditConnectionOptions {
  readonly connections: WorkspaceConnections;
  readonly editing: ConnectionEditing;
  readonly terms: ConnectionTerms;
}

interface Choice extends vscode.QuickPickItem {
  readonly run: () => Promise<unknown>;
}

/** Asks which connection and what of it; each thing is asked for and written by itself. */
export async function editConnection({ connections, editing, terms }: EditConnectionOptions): Promise<void> {
  const t = vscode.l10n.t;
  const connection = await pickConnection(connections, t("Which connection shall be changed?"));
  if (connection === undefined) return;
  const { name, clientStyle, model, keyVariable } = connection;
  const choices: readonly Choice[] = [
    {
      label: t("Name"),
      description: name,
      run: () => withSecretStore(() => editing.rename(connection)),
    },
    {
      label: t("Base Address"),
      description: describeAddress(connection),
      run: () => editing.moveAddress(connection),
    },
    ...httpChoice(connection, terms),
    { label: t("Client Style"), description: clientStyle, run: () => editing.changeStyle(connection) },
    {
      label: t("Default Model"),
      description: model ?? t("none"),
      run: () => terms.changeModel(connection),
    },
    ...(keyVariable === undefined
      ? [
          {
            label: t("API Key"),
            description: "",
            run: async () => vscode.commands.executeCommand(commandIds.setApiKey, name),
          },
        ]
      : []),
    {
      label: t("Source of the Key"),
      description: keyVariable ?? t("secret store"),
      run: () => withSecretStore(() => terms.changeKeySource(connection)),
    },
    {
      label: t("Expiry Date"),
      description: describeExpiryDate(connection),
      run: () => terms.changeExpiry(connection),
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: name,
    placeHolder: t("What shall be changed?"),
    ignoreFocusOut: true,
  });
  await chosen?.run();
}

/** Only where the address is one of http, which nobody has to think of otherwise. */
function httpChoice(connection: Connection, terms: ConnectionTerms): readonly Choice[] {
  const t = vscode.l10n.t;
  const isAllowed = unencryptedHost(connection) !== undefined;
  const isRefused = connection.address.kind === "problem" && connection.address.problem === "insecure";
  if (!isAllowed && !isRefused) return [];
  return [
    {
      label: isAllowed ? t("Forbid http") : t("Allow http..."),
      description: isAllowed ? t("allowed: nothing is encrypted") : t("not allowed: nothing is sent"),
      run: () => terms.changeHttp(connection),
    },
  ];
}

function describeAddress(connection: Connection): string {
  if (connection.address.kind === "problem") return vscode.l10n.t("cannot be used");
  const { base } = connection.address.address;
  return unencryptedHost(connection) === undefined
    ? base
    : `${base} · $(unlock) ${vscode.l10n.t("not encrypted")}`;
}

function describeExpiryDate({ expires }: Connection): string {
  const expiry = expires === undefined ? undefined : readExpiry(expires, new Date());
  if (expires === undefined || expiry === undefined) return vscode.l10n.t("none");
  return `${expires} · ${expiryInBrief(expiry, vscode.l10n.t)}`;
}
