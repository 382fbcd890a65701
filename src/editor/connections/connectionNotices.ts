import * as vscode from "vscode";
import type { ConnectionProblem } from "../../connection/setup/connection.ts";
import { describeAddressProblem, describeHeaderProblem } from "../../connection/setup/inputTexts.ts";
import { commandIds, type CommandId } from "../../contributions.ts";
import { openConnectionSetting } from "../workspace/connectionEntries.ts";
import { reportError, showWarning, showInformation } from "../shared/notices.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { AddedConnection } from "./connectionEditing.ts";

/** Reports problems of the setting `inference.connections`, each once per window. */
export class ConnectionNotices implements vscode.Disposable {
  readonly #connections: WorkspaceConnections;
  readonly #shown = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor(connections: WorkspaceConnections) {
    this.#connections = connections;
    this.#showProblems();
    this.#subscription = connections.onDidChange(() => this.#showProblems());
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #showProblems(): void {
    for (const problem of this.#connections.problems) {
      const text = describe(problem);
      if (this.#shown.has(text)) continue;
      this.#shown.add(text);
      reportError(showProblem(problem, text, this.#connections));
    }
  }
}

async function showProblem(
  problem: ConnectionProblem,
  text: string,
  connections: WorkspaceConnections,
): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  const setKey = vscode.l10n.t("Set API Key...");
  const isUsable = problem.kind === "key-in-settings" && connections.named(problem.name ?? "") !== undefined;
  const buttons = isUsable ? [open, setKey] : [open];
  const chosen = await showWarning(text, ...buttons);
  if (chosen === open) await openConnectionSetting();
  if (chosen === setKey && isUsable) await vscode.commands.executeCommand(commandIds.setApiKey, problem.name);
}

function describe(problem: ConnectionProblem): string {
  const t = vscode.l10n.t;
  switch (problem.kind) {
    case "not-a-list":
      return t("The setting inference.connections is ignored because it is not a list.");
    case "not-readable":
      return t(
        "Connection '{0}' in inference.connections is ignored because {1} is missing or invalid.",
        problem.name ?? problem.index + 1,
        problem.property ?? t("the entry"),
      );
    case "duplicate-name":
      return t("Several connections are named '{0}'. Only the first one is used.", problem.name);
    case "address":
      return t(
        "The base URL of connection '{0}' is invalid. {1}",
        problem.name,
        describeAddressProblem(problem.problem, problem.suggestion, t),
      );
    case "header":
      return t(
        "Connection '{0}' sends nothing because of its headers. {1}",
        problem.name,
        describeHeaderProblem(problem.problem, problem.header, undefined, t),
      );
    case "variable-name":
      return t(
        "In connection '{0}', keyVariable is ignored because it isn't a valid variable name. Enter only the name: {1}.",
        problem.name,
        problem.suggestion,
      );
    case "key-in-settings":
      return t(
        "Connection '{0}' is ignored because '{1}' seems to contain an API key. Remove the key from the settings, revoke it at the service, and store a new key with Set API Key.",
        problem.name ?? problem.index + 1,
        problem.property,
      );
  }
}

interface NextStep {
  readonly label: string;
  readonly command: CommandId;
  /** The connection for the command. The workspace may use another one. */
  readonly connectionName?: string;
}

/** Tells the user that a connection was added, and offers the next steps. */
export async function showConnectionAdded(added: AddedConnection): Promise<void> {
  const buttons: readonly NextStep[] = [
    ...(added.isUsed
      ? []
      : [{ label: vscode.l10n.t("Use in This Workspace..."), command: commandIds.useConnection }]),
    added.hasKey
      ? {
          label: vscode.l10n.t("Check Connection"),
          command: commandIds.checkConnection,
          connectionName: added.name,
        }
      : { label: vscode.l10n.t("Set API Key..."), command: commandIds.setApiKey, connectionName: added.name },
    { label: vscode.l10n.t("Open Chat"), command: commandIds.openChat },
  ];
  const message = [
    added.hasKey
      ? vscode.l10n.t("Added '{0}'.", added.name)
      : vscode.l10n.t("Added '{0}' without an API key.", added.name),
    ...(added.isUsed ? [vscode.l10n.t("This workspace now uses the new connection.")] : []),
  ].join(" ");
  const chosen = await showInformation(message, ...buttons.map(({ label }) => label));
  const button = buttons.find(({ label }) => label === chosen);
  if (button !== undefined) await vscode.commands.executeCommand(button.command, button.connectionName);
}
