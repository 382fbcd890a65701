import * as vscode from "vscode";
import type { Diagnosis, DiagnosisActionId } from "../connection/diagnosis.ts";
import { commandIds } from "../contributions.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

/** Whose failure it is, and what the workspace uses by the time that something is done about it. */
export interface FailureOwner {
  readonly connectionName: string;
  readonly connections: Pick<WorkspaceConnections, "current">;
}

/** Commands that are about the connection which the workspace uses. */
const actionsOnCurrent: ReadonlySet<DiagnosisActionId> = new Set([
  "set-api-key",
  "select-model",
  "check-connection",
]);

/**
 * Runs what a diagnosis offers. `retry` is the caller's own and does nothing without `onRetry`. With an
 * owner, nothing is done to another connection that the workspace uses by now.
 */
export async function runDiagnosisAction(
  action: DiagnosisActionId,
  owner: FailureOwner | undefined,
  onRetry?: () => unknown,
): Promise<void> {
  if (action === "retry") {
    await onRetry?.();
    return;
  }
  const isOwn = owner === undefined || owner.connections.current?.name === owner.connectionName;
  if (!isOwn && actionsOnCurrent.has(action)) return tellNotInUse(owner.connectionName);
  await vscode.commands.executeCommand(commandOf(action));
}

async function tellNotInUse(connectionName: string): Promise<void> {
  const use = vscode.l10n.t("Use Connection in This Workspace...");
  const message = vscode.l10n.t("This workspace does not use {0} now. Choose it first.", connectionName);
  if ((await vscode.window.showWarningMessage(message, use)) === use)
    await vscode.commands.executeCommand(commandIds.useConnection);
}

function commandOf(action: Exclude<DiagnosisActionId, "retry">): string {
  switch (action) {
    case "set-api-key":
      return commandIds.setApiKey;
    case "select-model":
      return commandIds.selectModel;
    case "edit-connection":
      return commandIds.editConnection;
    case "add-connection":
      return commandIds.addConnection;
    case "check-connection":
      return commandIds.checkConnection;
    case "show-log":
      return commandIds.showLog;
    case "new-chat":
      return commandIds.newChat;
  }
}

/** Shows a failure as a notification with its remedies as buttons. */
export async function showFailure(
  owner: FailureOwner,
  diagnosis: Diagnosis,
  onRetry?: () => unknown,
  onDetails?: () => unknown,
): Promise<void> {
  const { title, explanation, requestId } = diagnosis;
  const details = vscode.l10n.t("Show Details");
  const actions = diagnosis.actions.filter(({ id }) => id !== "retry" || onRetry !== undefined);
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const chosen = await vscode.window.showErrorMessage(
    withoutLinks(`${owner.connectionName}: ${title}. ${explanation}${id}`),
    ...actions.slice(0, onDetails === undefined ? 3 : 2).map(({ label }) => label),
    ...(onDetails === undefined ? [] : [details]),
  );
  if (chosen === details) await onDetails?.();
  const action = actions.find(({ label }) => label === chosen);
  if (action !== undefined) await runDiagnosisAction(action.id, owner, onRetry);
}

/** Notifications read `[text](command:...)` as a link that runs it; a server's words must not be one. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
