import * as vscode from "vscode";
import { type Connection, unencryptedHost } from "../../connection/setup/connection.ts";
import type { Expiry } from "../../connection/setup/expiry.ts";
import { describeExpiry } from "../../connection/setup/expiry.ts";
import { commandIds } from "../../contributions.ts";
import type { Health } from "../service/connectionHealth.ts";

/** How the status bar item looks, what it says beside the names, and what it does. */
interface Look {
  readonly icons: string;
  /** Sentences, the most urgent first. */
  readonly states: readonly string[];
  readonly background: vscode.ThemeColor | undefined;
  readonly command: string;
  /** Whether the expiry is near enough to stand in the bar itself. */
  readonly showsExpiry: boolean;
}

/** A refused key comes before a failing call, that before what could be better. */
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
    : vscode.l10n.t("Not encrypted: the key and all texts can be read on the way to {0}.", host);
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
      return { icon: undefined, state: vscode.l10n.t("Not checked in this window yet.") };
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
