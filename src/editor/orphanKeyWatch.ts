import * as vscode from "vscode";
import type { Connection } from "../connection/connection.ts";
import { commandIds, settingKeys, settingSection } from "../contributions.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import { entryNames } from "./connectionEntries.ts";
import { leave } from "./errorReason.ts";
import { GoneConnections } from "./goneConnections.ts";
import { hasAnotherKey, tellKeeping, withSecretStore } from "./keyKeeping.ts";
import { showInformation, showWarning } from "./notices.ts";
import { offerUndo } from "./offerUndo.ts";
import { type NamesInSettings, OrphanKeys } from "./orphanKeys.ts";
import { connectionSettingAsWritten } from "./settings.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";
import type { State } from "./state.ts";

/** Milliseconds: a cut is followed by its paste, a renaming by its key, before anybody is asked. */
const settleTime = 5_000;
/** Milliseconds after the start of a window, when nobody waits for it. */
const idleTime = 60_000;

/** Looks for keys without a connection when the settings changed, and once in a while after a start. */
export class OrphanKeyWatch implements vscode.Disposable {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;
  readonly #orphans: OrphanKeys;
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** Connections at the last look, and those that have come since then. */
  #names: readonly string[];
  #newNames: readonly string[] = [];

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore, state: State) {
    this.#connections = connections;
    this.#keys = keys;
    this.#names = connections.all.map(({ name }) => name);
    this.#orphans = new OrphanKeys({
      keys,
      gone: new GoneConnections(state),
      namesInSettings: readNames,
      originOf: (name) => originOfStoredKey(connections.named(name)),
      ask: (name, days) => leave(this.#ask(name, days)),
      tellRemoved: (name, undo) =>
        offerUndo(
          vscode.l10n.t("{0} is no longer in the settings. Its key was removed from this computer.", name),
          async () => {
            const keeping = await undo();
            if (keeping === undefined) throw new Error(hasAnotherKey(name));
            tellKeeping(keys, name, keeping);
          },
        ),
      now: () => Date.now(),
    });
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(`${settingSection}.${settingKeys.connections}`)) return;
        this.#orphans.forgetReturned().catch(() => undefined);
        this.#lookIn(settleTime);
      }),
      // The window in front asks; the others see that it has.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#isDue) this.#lookIn(settleTime);
      }),
    );
    this.#lookIn(idleTime);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  #lookIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), milliseconds);
    this.#timer.unref();
  }

  #look(): void {
    this.#isDue = !vscode.window.state.focused;
    if (this.#isDue) return;
    const names = this.#connections.all.map(({ name }) => name);
    this.#newNames = names.filter((name) => !this.#names.includes(name));
    this.#names = names;
    // What cannot be noted now is noted at the next look.
    this.#orphans.sweep().catch(() => undefined);
  }

  async #ask(connectionName: string, days: number): Promise<void> {
    const t = vscode.l10n.t;
    const heir = await this.#heirOf(connectionName);
    const move = heir === undefined ? undefined : t("Use It for {0}", heir);
    const remove = t("Remove Key");
    const keep = t("Keep Key");
    const stays = t(
      "{0} is no longer in the settings; its key is still stored on this computer.",
      connectionName,
    );
    const goes =
      days === 1
        ? t("Unless you keep it, it is removed after a day.")
        : t("Unless you keep it, it is removed after {0} days.", days);
    const buttons = [...(move === undefined ? [] : [move]), remove, keep];
    const chosen = await showWarning(`${stays} ${goes}`, ...buttons);
    if (chosen === undefined) return;
    if (chosen === keep) await this.#orphans.keep(connectionName);
    else if (chosen === remove) await withSecretStore(() => this.#remove(connectionName));
    else if (heir !== undefined) await withSecretStore(() => this.#move(connectionName, heir));
  }

  /** The one connection that a hand may have renamed this one to: new, of the same service, without a key. */
  async #heirOf(connectionName: string): Promise<string | undefined> {
    const newNames = this.#newNames;
    const origin = await this.#keys.sealedOrigin(connectionName);
    const stored = await this.#keys.storedNames();
    const heirs = this.#connections.all.filter(
      (connection) =>
        newNames.includes(connection.name) &&
        !stored.includes(connection.name) &&
        origin !== undefined &&
        originOfStoredKey(connection) === origin,
    );
    return heirs.length === 1 ? heirs[0]?.name : undefined;
  }

  async #remove(connectionName: string): Promise<void> {
    if ((await this.#orphans.remove(connectionName)) !== "removed") await this.#tellIsBack(connectionName);
  }

  async #move(connectionName: string, heir: string): Promise<void> {
    const outcome = await this.#orphans.move(connectionName, heir);
    if (outcome === "connection-is-back") return this.#tellIsBack(connectionName);
    if (outcome === "moved") return;
    const message = vscode.l10n.t(
      "{0} has changed since, so it was not given the key of {1}, which is still stored on this computer.",
      heir,
      connectionName,
    );
    await showInformation(message);
  }

  async #tellIsBack(connectionName: string): Promise<void> {
    const show = vscode.l10n.t("Edit Connection...");
    const chosen = await showInformation(
      vscode.l10n.t("{0} is in the settings again, so its key was kept.", connectionName),
      show,
    );
    if (chosen === show) await vscode.commands.executeCommand(commandIds.editConnection);
  }
}

function originOfStoredKey(connection: Connection | undefined): string | undefined {
  if (connection === undefined || connection.keyVariable !== undefined) return undefined;
  return connection.address.kind === "address" ? connection.address.address.origin : undefined;
}

function readNames(): NamesInSettings {
  const written = connectionSettingAsWritten();
  if (written === undefined) return { kind: "nothing" };
  return Array.isArray(written) ? { kind: "list", names: entryNames(written) } : { kind: "unreadable" };
}
