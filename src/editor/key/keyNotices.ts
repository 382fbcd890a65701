import * as vscode from "vscode";
import type { ApiKeyStore, StoreResult, RestoreKey } from "./apiKeyStore.ts";
import type { StoreFault } from "./checkedSecrets.ts";
import type { SealedKey } from "./storedKeys.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import { reportError, showError, showInformation, showWarning } from "../shared/notices.ts";
import { offerUndo } from "../shared/offerUndo.ts";

export interface SavedKey {
  /** Secret storage, or only this window's memory. The user was warned in the latter case. */
  readonly place: "stored" | "session-only";
  /** Restores the key that was replaced. */
  readonly restore: RestoreKey | undefined;
}

/** Saves a key. If secret storage fails, shows a warning with the reason and what to do. */
export async function saveKey(
  keys: ApiKeyStore,
  connectionName: string,
  sealed: SealedKey,
): Promise<SavedKey> {
  const { result, restore } = await keys.replace(connectionName, sealed);
  warnIfNotStored(keys, connectionName, result);
  return { place: result.kind, restore };
}

/** Warns that a key is only in memory, and offers to try again. */
export function warnIfNotStored(keys: ApiKeyStore, connectionName: string, result: StoreResult): void {
  if (result.kind === "session-only") reportError(showSessionOnlyWarning(keys, connectionName, result.fault));
}

/** Shows that a stored key was removed, and offers to undo the removal. */
export function showKeyRemoved(connectionName: string, restore: () => Promise<unknown>): void {
  offerUndo(vscode.l10n.t("Removed the API key for '{0}' from this computer.", connectionName), restore);
}

/** Says why a key was not restored: the connection has a different key now. */
export function anotherKeyText(connectionName: string): string {
  return vscode.l10n.t("'{0}' already has a new key, so the old key was not restored.", connectionName);
}

/** Runs work that removes or moves keys. If secret storage fails, shows a notice without the error's own text. */
export async function withSecretStore(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error;
    const again = vscode.l10n.t("Try Again");
    const chosen = await showError(
      vscode.l10n.t(
        "The secret storage failed, so nothing was changed. Unlock your system keyring and try again.",
      ),
      again,
    );
    if (chosen === again) await withSecretStore(work);
  }
}

async function showSessionOnlyWarning(
  keys: ApiKeyStore,
  connectionName: string,
  fault: StoreFault,
): Promise<void> {
  const t = vscode.l10n.t;
  const reason =
    fault === "failing"
      ? t("the secret storage failed")
      : t("the secret storage didn't return the stored value");
  const again = t("Try Again");
  const chosen = await showWarning(
    t(
      "The API key for '{0}' works only until you reload this window: {1}. Unlock your system keyring (on Linux, GNOME Keyring or KWallet) and try again, or use an environment variable (Edit Connection).",
      connectionName,
      reason,
    ),
    again,
  );
  if (chosen !== again) return;
  const result = await keys.storeAgain(connectionName);
  if (result?.kind === "session-only") await showSessionOnlyWarning(keys, connectionName, result.fault);
  else if (result !== undefined) await showInformation(t("Stored the API key for '{0}'.", connectionName));
}
