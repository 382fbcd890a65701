import * as vscode from "vscode";
import { commandIds, settingKeys, settingSection } from "../../contributions.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import { namesInSettings } from "../workspace/connectionEntries.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { State } from "../workspace/state.ts";
import { UnusedKeys } from "./unusedKeys.ts";

/** Milliseconds: a cut is followed by its paste, a renaming by its key, before anybody is told. */
const settleMs = 5_000;
/** Milliseconds after the start of a window, when nobody waits for it. */
const idleMs = 60_000;

/** Tells once of keys without a connection, after a change of the settings and some time after a start. */
export class UnusedKeyNotice implements vscode.Disposable {
  readonly #unused: UnusedKeys;
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(keys: ApiKeyStore, state: State) {
    this.#unused = new UnusedKeys(keys, state, namesInSettings);
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${settingSection}.${settingKeys.connections}`))
          this.#checkAfter(settleMs);
      }),
      // The window in front tells; the others see that it has.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#isDue) this.#checkAfter(settleMs);
      }),
    );
    this.#checkAfter(idleMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  #checkAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    // A failed look, such as at a setting that is no list, is made up for by the next one.
    this.#timer = setTimeout(() => void this.#check().catch(() => undefined), milliseconds);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    this.#isDue = !vscode.window.state.focused;
    if (this.#isDue) return;
    const names = await this.#unused.takeUnreported();
    if (names.length > 0) reportError(showUnusedKeys(names));
  }
}

async function showUnusedKeys(names: readonly string[]): Promise<void> {
  const t = vscode.l10n.t;
  const [name] = names;
  const message =
    names.length === 1 && name !== undefined
      ? t("'{0}' is no longer in the settings. Its key is still stored on this computer.", name)
      : t("Keys of removed connections are still stored on this computer: {0}", names.join(", "));
  const remove = t("Remove Unused Keys...");
  if ((await showInformation(message, remove)) === remove)
    await vscode.commands.executeCommand(commandIds.removeUnusedKeys);
}
