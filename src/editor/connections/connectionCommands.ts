import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import { readExpiry } from "../../connection/setup/expiry.ts";
import { commandIds } from "../../contributions.ts";
import {
  namedOrRequiredConnection,
  pickConnection,
  requireConnection,
} from "../workspace/chooseConnection.ts";
import type { ApiKeyStore, RestoreKey } from "../key/apiKeyStore.ts";
import { ConnectionEditing, explainVariable } from "./connectionEditing.ts";
import { ConnectionTerms, editConnection } from "./editConnection.ts";
import { showKeyRemoved, withSecretStore } from "../key/keyNotices.ts";
import { reportError, showInformation, showWarning } from "../shared/notices.ts";
import { offerUndo, undoNow } from "../shared/offerUndo.ts";
import { showConnectionAdded } from "./connectionNotices.ts";
import { type UnusedKey, UnusedKeys } from "../key/unusedKeys.ts";
import { namesInSettings } from "../workspace/connectionEntries.ts";
import type { ConnectionNeeds } from "./registerConnections.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { CommandTable } from "../shared/registration.ts";

interface ConnectionCommandsOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: Pick<ApiKeyStore, "storedNames">;
  readonly unused: UnusedKeys;
  readonly editing: ConnectionEditing;
  readonly terms: ConnectionTerms;
}

/** Creates the commands for connections and their API keys. */
export function connectionCommands(
  { connections, keys, globalState }: Omit<ConnectionNeeds, "searchedKeys">,
  editing = new ConnectionEditing(connections, keys),
): CommandTable<"connections"> {
  const unused = new UnusedKeys(keys, globalState, namesInSettings);
  const terms = new ConnectionTerms({ connections, keys, editing });
  const options = { connections, keys, unused, editing, terms };
  return {
    [commandIds.addConnection]: () => addConnection(editing),
    [commandIds.editConnection]: () => editConnection(options),
    [commandIds.removeConnection]: () => removeConnection(options),
    [commandIds.useConnection]: () => useConnection(connections),
    [commandIds.setApiKey]: (name) => setApiKey(options, name),
    [commandIds.removeApiKey]: () => removeApiKey(options),
    [commandIds.removeUnusedKeys]: () => withSecretStore(() => removeUnusedKeys(options)),
  };
}

async function addConnection(editing: ConnectionEditing): Promise<void> {
  const added = await editing.add();
  if (added !== undefined) await showConnectionAdded(added);
}

async function removeConnection({ connections, editing }: ConnectionCommandsOptions): Promise<void> {
  const connection = await pickConnection(
    connections,
    vscode.l10n.t("Which connection do you want to remove?"),
  );
  if (connection === undefined) return;
  const remove = vscode.l10n.t("Remove");
  const chosen = await showWarning(
    vscode.l10n.t("Remove the connection '{0}' and its API key?", connection.name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "The key will be deleted from the secret storage. It stays valid at the service until you revoke it.",
      ),
    },
    remove,
  );
  if (chosen !== remove) return;
  await withSecretStore(async () => {
    const restore = await editing.remove(connection);
    offerUndo(vscode.l10n.t("Removed '{0}' and its API key.", connection.name), restore);
  });
}

async function useConnection(connections: WorkspaceConnections): Promise<void> {
  const connection = await pickConnection(
    connections,
    vscode.l10n.t("Which connection should this workspace use?"),
  );
  if (connection !== undefined) await connections.use(connection);
}

/** Sets the key of the named connection, or of the workspace's connection if no name is given. */
async function setApiKey(options: ConnectionCommandsOptions, name: unknown): Promise<void> {
  const { connections, editing, terms } = options;
  const connection = await namedOrRequiredConnection(connections, name);
  if (connection === undefined) return;
  const kept = await editing.setKey(connection);
  if (kept?.place === "stored") reportError(showKeyStored(options, connection, kept.restore));
  // The old key's expiration date does not apply to the new key.
  if (kept !== undefined && isExpired(connection)) await terms.changeExpiry(connection);
}

async function showKeyStored(
  { editing, terms }: ConnectionCommandsOptions,
  connection: Connection,
  restore: RestoreKey | undefined,
): Promise<void> {
  const check = vscode.l10n.t("Check Connection");
  const changeExpiry = vscode.l10n.t("Change Expiration Date...");
  const undo = vscode.l10n.t("Undo");
  const buttons = [
    check,
    // A new key usually expires on another date.
    ...(connection.expires === undefined ? [] : [changeExpiry]),
    ...(restore === undefined ? [] : [undo]),
  ];
  const message = vscode.l10n.t("Stored the API key for '{0}'.", connection.name);
  const chosen = await showInformation(message, ...buttons);
  if (chosen === check) await vscode.commands.executeCommand(commandIds.checkConnection, connection.name);
  if (chosen === changeExpiry) await terms.changeExpiry(connection);
  if (chosen === undo && restore !== undefined)
    await undoNow(message, () => editing.restoreKey(connection, restore));
}

function isExpired({ expires }: Connection): boolean {
  return expires !== undefined && readExpiry(expires, new Date())?.kind === "expired";
}

async function removeApiKey({ connections, keys, editing }: ConnectionCommandsOptions): Promise<void> {
  const connection = await requireConnection(connections);
  if (connection === undefined) return;
  // A stored key can remain after the connection has switched to an environment variable.
  if (connection.keyVariable !== undefined && !(await keys.storedNames()).includes(connection.name))
    return explainVariable(connection, connection.keyVariable);
  const remove = vscode.l10n.t("Remove");
  const chosen = await showWarning(
    vscode.l10n.t("Remove the API key for '{0}' from this computer?", connection.name),
    { modal: true, detail: vscode.l10n.t("The key stays valid until you revoke it at the service.") },
    remove,
  );
  if (chosen !== remove) return;
  await withSecretStore(async () => {
    const restore = await editing.removeKey(connection);
    if (restore === undefined)
      reportError(
        showInformation(vscode.l10n.t("No API key for '{0}' is stored on this computer.", connection.name)),
      );
    else showKeyRemoved(connection.name, restore);
  });
}

async function removeUnusedKeys(options: ConnectionCommandsOptions): Promise<void> {
  const t = vscode.l10n.t;
  const found = await options.unused.list();
  if (found.length === 0) {
    reportError(showInformation(t("No unused keys are stored on this computer.")));
    return;
  }
  const chosen = await vscode.window.showQuickPick(found.map(itemOf), {
    placeHolder: t("Select the keys to remove"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  const [first] = chosen ?? [];
  if (chosen === undefined || first === undefined) return;
  const remove = t("Remove");
  const message =
    chosen.length === 1
      ? t("Remove the API key for '{0}' from this computer?", first.key.name)
      : t("Remove {0} keys from this computer?", chosen.length);
  const detail = t("A key stays valid at its service until it is revoked there.");
  if ((await showWarning(message, { modal: true, detail }, remove)) !== remove) return;
  for (const { key } of chosen) await withSecretStore(() => removeUnusedKey(options, key));
}

function itemOf(key: UnusedKey) {
  const { name, seal, since } = key;
  const dates = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium" });
  const detail = since === undefined ? "" : vscode.l10n.t("Unused since {0}", dates.format(since));
  return { label: name, description: seal?.toString() ?? "", detail, key };
}

async function removeUnusedKey(
  { unused, editing }: ConnectionCommandsOptions,
  key: UnusedKey,
): Promise<void> {
  if (unused.isUsed(key.name)) {
    const message = vscode.l10n.t(
      "The connection '{0}' is in the settings again, so its key was not removed.",
      key.name,
    );
    reportError(showInformation(message));
    return;
  }
  const restore = await editing.removeKey(key);
  if (restore !== undefined)
    showKeyRemoved(key.name, async () => {
      await restore();
      await unused.note(key);
    });
  await unused.forget(key);
}
