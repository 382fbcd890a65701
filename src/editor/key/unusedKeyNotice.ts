import * as vscode from "vscode";
import { commandIds, settingKeys, settingSection } from "../../contributions.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import { namesInSettings } from "../workspace/connectionEntries.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { State } from "../workspace/state.ts";
import { UnusedKeys } from "./unusedKeys.ts";

/**
 * Milliseconds before the notice: the user may paste an entry that was cut, or a rename may not have removed the old
 * key yet.
 */
const settleMs = 5_000;
/** Milliseconds after the start of a window, when a check delays nothing else. */
const idleMs = 60_000;

/** Reports keys without a connection once. Checks after a change of the settings and some time after a start. */
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
      // Only the focused window shows the notice. The shared state tells the other windows about it.
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
    // If a check fails, for example because the setting is not a list, the next check makes up for it.
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
      ? t(
          "The connection '{0}' is no longer in the settings. Its key is still stored on this computer.",
          name,
        )
      : t("Keys of removed connections are still stored on this computer: {0}", names.join(", "));
  const remove = t("Remove Unused Keys...");
  if ((await showInformation(message, remove)) === remove)
    await vscode.commands.executeCommand(commandIds.removeUnusedKeys);
}
