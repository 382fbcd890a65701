import * as v from "valibot";
import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import { connectionForScript, pickConnection } from "../chooseConnection.ts";
import { leave } from "../errorReason.ts";
import { type ExposedKeyOptions, replaceExposedKey } from "../exposedKeyReplacement.ts";
import { type ScanResult, scanWorkspace } from "../exposedKeyScan.ts";
import { showError, showInformation, showProgress } from "../notices.ts";
import type { CommandTable } from "./commandGroups.ts";

/** What to do about keys that stand where they should not. */
export function exposedKeyCommands(options: ExposedKeyOptions): CommandTable<"exposedKey"> {
  return {
    [commandIds.replaceExposedKey]: (name) => replace(options, name),
    [commandIds.scanForExposedKeys]: () => scan(options),
  };
}

async function replace(options: ExposedKeyOptions, name: unknown): Promise<void> {
  const { connections } = options;
  const connection =
    name === undefined
      ? await pickConnection(connections, vscode.l10n.t("Whose key was exposed?"))
      : connectionForScript(connections, v.parse(v.string(), name));
  if (connection !== undefined) await replaceExposedKey(options, connection);
}

/** Undefined where there is no key to look for, or the user stopped it. */
async function scan({ searchedKeys, exposed }: ExposedKeyOptions): Promise<ScanResult | undefined> {
  const keys = await searchedKeys.list();
  if (keys.length === 0) {
    void showInformation(vscode.l10n.t("No key is stored, so there is none to look for."));
    return undefined;
  }
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Scanning for exposed keys");
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
  if (result !== undefined) leave(tell(result));
  return result;
}

async function tell({ filesSearched, filesSkipped, filesWithKeys, keysFound }: ScanResult): Promise<void> {
  const t = vscode.l10n.t;
  const skipped =
    filesSkipped === 0 ? "" : ` ${t("Too large or not readable, so not searched: {0}.", filesSkipped)}`;
  if (keysFound === 0) {
    await showInformation(t("No key found in {0} files.", filesSearched) + skipped);
    return;
  }
  const show = t("Show Problems");
  const message = t("Exposed keys found: {0}, in {1} of {2} files.", keysFound, filesWithKeys, filesSearched);
  const chosen = await showError(message + skipped, show);
  if (chosen === show) await vscode.commands.executeCommand("workbench.actions.view.problems");
}
