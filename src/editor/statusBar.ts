import * as vscode from "vscode";
import { commandIds } from "../contributions.ts";
import type { ConnectionHealth, Health } from "./connectionHealth.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

/** The status bar item: connection, model, state. Red where the key was refused. */
export class StatusBar implements vscode.Disposable {
  readonly #connections: WorkspaceConnections;
  readonly #health: ConnectionHealth;
  readonly #item = vscode.window.createStatusBarItem("inference.status", vscode.StatusBarAlignment.Right, 90);
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(connections: WorkspaceConnections, health: ConnectionHealth) {
    this.#connections = connections;
    this.#health = health;
    this.#item.name = vscode.l10n.t("Inference Connection");
    this.#subscriptions = [
      connections.onDidChange(() => this.#render()),
      health.onDidChange(() => this.#render()),
    ];
    this.#render();
    this.#item.show();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#item.dispose();
  }

  #render(): void {
    const connection = this.#connections.current;
    if (connection === undefined) {
      this.#renderUnbound();
      return;
    }
    const model = this.#connections.modelFor(connection);
    const { icon, state, background, command } = look(this.#health.of(connection.name));
    this.#item.text = `${icon} ${plain(connection.name)} · ${plain(model)}`;
    this.#item.tooltip = vscode.l10n.t("Connection: {0}\nModel: {1}\n{2}", connection.name, model, state);
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t("Inference connection {0}, model {1}. {2}", connection.name, model, state),
      role: "button",
    };
    this.#item.backgroundColor = background;
    this.#item.command = command;
  }

  #renderUnbound(): void {
    const choosable = this.#connections.all.length > 0;
    this.#item.text = choosable
      ? `$(plug) ${vscode.l10n.t("Choose Connection")}`
      : `$(plug) ${vscode.l10n.t("Add Connection")}`;
    this.#item.tooltip = choosable
      ? vscode.l10n.t("This workspace is not bound to a connection yet.")
      : vscode.l10n.t("Inference Chat has no connection yet.");
    this.#item.accessibilityInformation = undefined;
    this.#item.backgroundColor = undefined;
    this.#item.command = choosable ? commandIds.useConnection : commandIds.addConnection;
  }
}

interface Look {
  readonly icon: string;
  readonly state: string;
  readonly background: vscode.ThemeColor | undefined;
  readonly command: string;
}

function look(health: Health): Look {
  switch (health.kind) {
    case "unknown":
      return {
        icon: "$(comment-discussion)",
        state: vscode.l10n.t("Not checked in this window yet."),
        background: undefined,
        command: commandIds.openChat,
      };
    case "good":
      return {
        icon: "$(comment-discussion)",
        state: vscode.l10n.t("The last request succeeded."),
        background: undefined,
        command: commandIds.openChat,
      };
    case "failing":
      return {
        icon: "$(warning)",
        state: health.title,
        background: new vscode.ThemeColor("statusBarItem.warningBackground"),
        command: commandIds.checkConnection,
      };
    case "key-refused":
      return {
        icon: "$(error)",
        state: health.title,
        background: new vscode.ThemeColor("statusBarItem.errorBackground"),
        command: commandIds.setApiKey,
      };
  }
}

/** Status bar texts read `$(name)` as an icon; a connection's name must not. */
function plain(text: string): string {
  const oneLine = text.replaceAll("$(", "$\u200b(").replaceAll(/\s+/g, " ");
  return oneLine.length > 40 ? `${oneLine.slice(0, 39)}…` : oneLine;
}
