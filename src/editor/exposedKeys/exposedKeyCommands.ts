import * as v from "valibot";
import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import { ConnectionEditing } from "../connections/connectionEditing.ts";
import { connectionForScript, pickConnection } from "../workspace/chooseConnection.ts";
import { reportError, showError, showInformation, showProgress, showWarning } from "../shared/notices.ts";
import { type ExposedKeyOptions, replaceExposedKey } from "./exposedKeyReplacement.ts";
import type { ExposedKeyNeeds } from "./registerExposedKeys.ts";
import { showKeyRemoved, withSecretStore } from "../key/keyNotices.ts";
import type { CommandTable } from "../shared/registration.ts";
import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ExposedKeyDiagnostics } from "./exposedKeyDiagnostics.ts";
import { readSearchedText } from "./searchedText.ts";

/** Creates the commands that find and replace exposed keys. */
export function exposedKeyCommands(
  { connections, keys, searchedKeys }: ExposedKeyNeeds,
  exposed: ExposedKeyDiagnostics,
  check: ExposedKeyOptions["check"],
): CommandTable<"exposedKeys"> {
  const editing = new ConnectionEditing(connections, keys);
  const options = { connections, editing, searchedKeys, exposed, check };
  return {
    [commandIds.replaceExposedKey]: (name) => replace(options, name),
    [commandIds.scanForExposedKeys]: () => scan(options),
  };
}

async function replace(options: ExposedKeyOptions, name: unknown): Promise<void> {
  const { connections } = options;
  const connectionName = v.parse(v.optional(v.string()), name);
  const connection =
    connectionName === undefined
      ? await pickConnection(connections, vscode.l10n.t("Which connection's key was exposed?"))
      : connections.named(connectionName);
  if (connection !== undefined) await replaceExposedKey(options, connection);
  else if (connectionName !== undefined) await removeUnusedKey(options, connectionName);
}

/** Offers to remove a key that no connection uses. Without a connection, no new key can replace it. */
async function removeUnusedKey(options: ExposedKeyOptions, connectionName: string): Promise<void> {
  const { connections, editing, searchedKeys } = options;
  const keys = await searchedKeys.list();
  if (!keys.some((key) => key.connectionName === connectionName)) {
    connectionForScript(connections, connectionName);
    return;
  }
  const remove = vscode.l10n.t("Remove Key");
  const message = vscode.l10n.t(
    "The key for '{0}' is stored on this computer but no connection uses it. Revoke it at the service and remove it here.",
    connectionName,
  );
  if ((await showWarning(message, remove)) !== remove) return;
  await withSecretStore(async () => {
    const restore = await editing.removeKey({ name: connectionName });
    if (restore !== undefined) showKeyRemoved(connectionName, restore);
  });
}

/** Undefined if no key is stored, a key is unreadable, or the user cancels. */
async function scan(options: ExposedKeyOptions): Promise<ScanResult | undefined> {
  const { searchedKeys, exposed } = options;
  const keys = await searchedKeys.list();
  const unreadable = await searchedKeys.unreadableNames();
  if (unreadable.length > 0) {
    reportError(showUnreadableKeys(options, unreadable));
    return undefined;
  }
  if (keys.length === 0) {
    void showInformation(vscode.l10n.t("There are no stored keys to search for."));
    return undefined;
  }
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Scanning for exposed keys...");
  const result = await showProgress({ location, title, cancellable: true }, async (progress, token) => {
    const found = await scanWorkspace(
      exposed,
      keys,
      (done, total) => {
        const message = vscode.l10n.t("{0} of {1} files", done, total);
        if (done % 50 === 0) progress.report({ message, increment: (50 / total) * 100 });
      },
      token,
    );
    return token.isCancellationRequested ? undefined : found;
  });
  if (result !== undefined) reportError(showScanResult(result));
  return result;
}

/** A scan cannot find an unreadable key, so its result would be misleading. */
async function showUnreadableKeys(
  options: ExposedKeyOptions,
  connectionNames: readonly string[],
): Promise<void> {
  const again = vscode.l10n.t("Try Again");
  const message = vscode.l10n.t(
    "The scan couldn't run because the key for '{0}' couldn't be read from the secret storage. Unlock your system keyring and try again.",
    connectionNames.join(", "),
  );
  if ((await showWarning(message, again)) === again) await scan(options);
}

async function showScanResult({
  filesSearched,
  filesSkipped,
  filesWithKeys,
  keysFound,
}: ScanResult): Promise<void> {
  const t = vscode.l10n.t;
  const skipped =
    filesSkipped === 0
      ? ""
      : ` ${t("Number of files skipped because they are too large or unreadable: {0}.", filesSkipped)}`;
  if (keysFound === 0) {
    const clean =
      filesSearched === 1
        ? t("No exposed keys found in 1 file.")
        : t("No exposed keys found in {0} files.", filesSearched);
    await showInformation(clean + skipped);
    return;
  }
  const show = t("Show Problems");
  const message =
    filesSearched === 1
      ? t("Exposed keys found: {0} in 1 file.", keysFound)
      : t("Exposed keys found: {0} in {1} of {2} files.", keysFound, filesWithKeys, filesSearched);
  const chosen = await showError(message + skipped, show);
  if (chosen === show) await vscode.commands.executeCommand("workbench.actions.view.problems");
}

/** Result of a scan. Contains only numbers. */
interface ScanResult {
  readonly filesSearched: number;
  /** Files that are too large or unreadable. */
  readonly filesSkipped: number;
  readonly filesWithKeys: number;
  readonly keysFound: number;
}

/** Searches every workspace file that `files.exclude` does not hide. Ignores `.gitignore`. */
async function scanWorkspace(
  exposed: ExposedKeyDiagnostics,
  keys: readonly SearchedKey[],
  onFile: (done: number, total: number) => void,
  token: vscode.CancellationToken,
): Promise<ScanResult> {
  const files = await vscode.workspace.findFiles("**/*", undefined, undefined, token);
  exposed.forgetClosedFiles();
  const result = { filesSearched: 0, filesSkipped: 0, filesWithKeys: 0, keysFound: 0 };
  for (const [index, uri] of files.entries()) {
    if (token.isCancellationRequested) break;
    onFile(index, files.length);
    const text = await readSearchedText(uri);
    if (text === undefined) {
      result.filesSkipped += 1;
      continue;
    }
    const found = exposed.mark(uri, text, keys);
    result.filesSearched += 1;
    result.keysFound += found;
    if (found > 0) result.filesWithKeys += 1;
  }
  return result;
}
