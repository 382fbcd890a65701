import * as vscode from "vscode";
import { describeExpiry } from "../../connection/setup/expiry.ts";
import { commandIds } from "../../contributions.ts";
import {
  millisecondsLeftToday,
  readExpiry,
  expiryInBrief,
  type Expiry,
} from "../../connection/setup/expiry.ts";
import type { ConnectionHealth, Health } from "../service/connectionHealth.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { type Connection, unencryptedHost } from "../../connection/setup/connection.ts";

/**
 * The status bar item: connection, model, and state. It is red if the key was refused. It warns while requests fail,
 * the base URL is not encrypted, or the key is expired or expires soon.
 */
export class StatusBar implements vscode.Disposable {
  readonly #connections: WorkspaceConnections;
  readonly #health: ConnectionHealth;
  readonly #item = vscode.window.createStatusBarItem("inference.status", vscode.StatusBarAlignment.Right, 90);
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Fires after activation. Later, fires at the end of the day if the connection has an expiration date. */
  #next: NodeJS.Timeout | undefined;

  constructor(connections: WorkspaceConnections, health: ConnectionHealth) {
    this.#connections = connections;
    this.#health = health;
    this.#item.name = vscode.l10n.t("Inference Connection");
    this.#item.command = commandIds.showMenu;
    this.#subscriptions = [
      connections.onDidChange(() => this.#render()),
      health.onDidChange(() => this.#render()),
      // Timers do not run while the machine sleeps.
      vscode.window.onDidChangeWindowState(() => this.#render()),
    ];
    this.#next = setTimeout(() => this.#render());
  }

  dispose(): void {
    clearTimeout(this.#next);
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#item.dispose();
  }

  #render(): void {
    clearTimeout(this.#next);
    this.#item.show();
    const connection = this.#connections.current;
    if (connection === undefined) {
      this.#renderUnbound();
      return;
    }
    const now = new Date();
    const expiry = connection.expires === undefined ? undefined : readExpiry(connection.expires, now);
    if (expiry !== undefined) this.#renderAfterToday(now);
    const model = this.#connections.modelFor(connection);
    const { icons, states, background, showsExpiry } = lookOf(
      connection,
      this.#health.of(connection.name),
      expiry,
    );
    const parts = [
      plain(connection.name),
      plain(model),
      ...(expiry !== undefined && showsExpiry ? [expiryInBrief(expiry, vscode.l10n.t)] : []),
    ];
    this.#item.text = `${icons} ${parts.join(" · ")}`;
    this.#item.tooltip = [
      vscode.l10n.t("Connection: {0}", connection.name),
      vscode.l10n.t("Model: {0}", model),
      ...states,
    ].join("\n");
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t(
        "Inference connection '{0}', model '{1}'. {2}",
        connection.name,
        model,
        states.join(" "),
      ),
      role: "button",
    };
    this.#item.backgroundColor = background;
  }

  #renderAfterToday(now: Date): void {
    this.#next = setTimeout(() => this.#render(), millisecondsLeftToday(now));
    this.#next.unref();
  }

  #renderUnbound(): void {
    const choosable = this.#connections.all.length > 0;
    this.#item.text = choosable
      ? `$(plug) ${vscode.l10n.t("Select Connection")}`
      : `$(plug) ${vscode.l10n.t("Add Connection")}`;
    this.#item.tooltip = choosable
      ? vscode.l10n.t("No connection is selected for this workspace.")
      : vscode.l10n.t("Add a connection to start using Inference Chat.");
    this.#item.accessibilityInformation = undefined;
    this.#item.backgroundColor = undefined;
  }
}

/** Shortens a name, and breaks up `$(name)`, which the status bar would show as an icon. */
function plain(text: string): string {
  const oneLine = text.replaceAll("$(", "$\u200b(").replaceAll(/\s+/g, " ");
  const characters = Array.from(oneLine);
  return characters.length > 40 ? `${characters.slice(0, 39).join("")}…` : oneLine;
}

/** Look of the status bar item, its texts beside the names, and its command. */
interface Look {
  readonly icons: string;
  /** Sentences, the most urgent first. */
  readonly states: readonly string[];
  readonly background: vscode.ThemeColor | undefined;
  readonly command: string;
  /** Whether the expiration is near enough to show it in the item itself. */
  readonly showsExpiry: boolean;
}

/** A refused key takes precedence over a failing request, and a failing request over warnings. */
export function lookOf(connection: Connection, health: Health, expiry: Expiry | undefined): Look {
  const host = unencryptedHost(connection);
  const { icon, state, color, command } = healthLook(health);
  const isExpired = expiry?.kind === "expired";
  const isMarked = isExpired || expiry?.kind === "marked";
  const warns = host !== undefined || isMarked;
  const background = color ?? (warns ? "statusBarItem.warningBackground" : undefined);
  const icons = [
    icon,
    host === undefined ? undefined : "$(unlock)",
    expiry === undefined || expiry.kind === "distant" ? undefined : isExpired ? "$(warning)" : "$(calendar)",
  ].filter((each) => each !== undefined);
  const expiryState =
    expiry === undefined || connection.expires === undefined
      ? undefined
      : describeExpiry(connection.expires, expiry, vscode.l10n.t);
  return {
    icons: icons.length === 0 ? "$(comment-discussion)" : [...new Set(icons)].join(" "),
    states: [state, encryptionState(host), expiryState].filter((each) => each !== undefined),
    background: background === undefined ? undefined : new vscode.ThemeColor(background),
    command: command ?? (isExpired ? commandIds.setApiKey : commandIds.openChat),
    showsExpiry: isMarked || expiry?.kind === "shown",
  };
}

function encryptionState(host: string | undefined): string | undefined {
  return host === undefined
    ? undefined
    : vscode.l10n.t(
        "Not encrypted: others on the network can read the API key and messages that you send to {0}.",
        host,
      );
}

interface HealthLook {
  readonly icon: string | undefined;
  readonly state: string;
  readonly color?: string;
  readonly command?: string;
}

function healthLook(health: Health): HealthLook {
  switch (health.kind) {
    case "unknown":
      return { icon: undefined, state: vscode.l10n.t("Not checked since this window opened.") };
    case "good":
      return { icon: undefined, state: vscode.l10n.t("The last request succeeded.") };
    case "failing":
      return {
        icon: "$(warning)",
        state: `${health.title}.`,
        color: "statusBarItem.warningBackground",
        command: commandIds.checkConnection,
      };
    case "key-refused":
      return {
        icon: "$(error)",
        state: `${health.title}.`,
        color: "statusBarItem.errorBackground",
        command: commandIds.setApiKey,
      };
  }
}
