import * as vscode from "vscode";
import type { ApiKeyStore, Keeping, RestoreKey } from "./apiKeyStore.ts";
import type { StoreFault } from "./checkedSecrets.ts";
import type { SealedKey } from "./storedKeys.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import { reportError, showError, showInformation, showWarning } from "../shared/notices.ts";
import { offerUndo } from "../shared/offerUndo.ts";

export interface KeptKey {
  /** Where it was put: for good, or for this window only, of which the user was told. */
  readonly place: "stored" | "session-only";
  /** Puts the key back whose place it took. */
  readonly restore: RestoreKey | undefined;
}

/** Keeps a key; where the secret store does not, that is said with the reason and what to do. */
export async function keepKey(
  keys: ApiKeyStore,
  connectionName: string,
  sealed: SealedKey,
): Promise<KeptKey> {
  const { keeping, restore } = await keys.replace(connectionName, sealed);
  tellKeeping(keys, connectionName, keeping);
  return { place: keeping.kind, restore };
}

/** Says that a key is in memory only, with a way to try again; of one that is stored nothing. */
export function tellKeeping(keys: ApiKeyStore, connectionName: string, keeping: Keeping): void {
  if (keeping.kind === "session-only") reportError(tellSessionOnly(keys, connectionName, keeping.fault));
}

/** Says that a stored key is gone, with a way back. */
export function tellKeyRemoved(connectionName: string, restore: () => Promise<unknown>): void {
  offerUndo(vscode.l10n.t("The key of {0} was removed from this computer.", connectionName), restore);
}

/** Why a key is not put back in a connection's place. */
export function hasAnotherKey(connectionName: string): string {
  return vscode.l10n.t("{0} has another key by now, which stays.", connectionName);
}

/** Runs what removes or moves keys; a store that fails is said in place of its own words. */
export async function withSecretStore(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error;
    const again = vscode.l10n.t("Try Again");
    const chosen = await showError(
      vscode.l10n.t(
        "The editor's secret store failed, so nothing was changed. Unlock the system's keyring and try again.",
      ),
      again,
    );
    if (chosen === again) await withSecretStore(work);
  }
}

async function tellSessionOnly(keys: ApiKeyStore, connectionName: string, fault: StoreFault): Promise<void> {
  const t = vscode.l10n.t;
  const reason =
    fault === "failing"
      ? t("the editor's secret store failed")
      : t("the editor's secret store did not give back what it was given");
  const again = t("Try Again");
  const chosen = await showWarning(
    t(
      "The key of {0} is kept in memory until this window is reloaded: {1}. Unlock the system's keyring (on Linux, start one such as GNOME Keyring or KWallet) and try again, or name an environment variable for it in Edit Connection.",
      connectionName,
      reason,
    ),
    again,
  );
  if (chosen !== again) return;
  const keeping = await keys.storeAgain(connectionName);
  if (keeping?.kind === "session-only") await tellSessionOnly(keys, connectionName, keeping.fault);
  else if (keeping !== undefined) await showInformation(t("The key of {0} is stored.", connectionName));
}
