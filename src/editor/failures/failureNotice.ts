import * as vscode from "vscode";
import type { Cause } from "../../client/failure/cause.ts";
import type { Diagnosis, DiagnosisActionId } from "../../connection/diagnosis/diagnosis.ts";
import { commandIds, extensionId } from "../../contributions.ts";
import { showError, showWarning } from "../shared/notices.ts";
import { openConnectionSetting } from "../workspace/connectionEntries.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** The connection that failed. `connections` tells which connection the workspace uses when the user acts. */
export interface FailureOwner {
  readonly connectionName: string;
  readonly connections: Pick<WorkspaceConnections, "current">;
  /** The setting that selected the model, if it was not the workspace's model. */
  readonly modelSetting?: string;
}

/** The context of an action on a failure. */
interface FailureScene {
  readonly cause: Cause | undefined;
  /** The connection that failed. If undefined, the action applies to the workspace's connection. */
  readonly owner?: FailureOwner | undefined;
  readonly onRetry?: (() => unknown) | undefined;
}

/** Actions whose commands take the connection's name. */
const namedActions: ReadonlySet<DiagnosisActionId> = new Set(["set-api-key", "check-connection"]);

/** Runs an action of a diagnosis. `retry` calls `onRetry` if given. */
export async function runDiagnosisAction(
  action: DiagnosisActionId,
  { cause, owner, onRetry }: FailureScene,
): Promise<void> {
  if (action === "retry") {
    await onRetry?.();
    return;
  }
  if (action === "learn-more") {
    if (cause !== undefined) await showCausePage(cause);
    return;
  }
  const isOwn = owner === undefined || owner.connections.current?.name === owner.connectionName;
  if (action === "change-max-tokens") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "inference.maxTokens");
    return;
  }
  if (action === "select-model" && owner?.modelSetting !== undefined) {
    await vscode.commands.executeCommand("workbench.action.openSettings", owner.modelSetting);
    return;
  }
  if (action === "open-connections-setting") return openConnectionSetting();
  if (!isOwn && ofWorkspace.has(action)) return showNotInUse(owner.connectionName);
  const named = owner !== undefined && namedActions.has(action) ? [owner.connectionName] : [];
  await vscode.commands.executeCommand(commandOf(action), ...named);
}

/** Actions that apply only to the workspace's current connection. */
const ofWorkspace: ReadonlySet<DiagnosisActionId> = new Set(["select-model", "select-client-style"]);

async function showNotInUse(connectionName: string): Promise<void> {
  const use = vscode.l10n.t("Select Connection for This Workspace...");
  const message = vscode.l10n.t(
    "This workspace doesn't use '{0}'. Select that connection first.",
    connectionName,
  );
  if ((await showWarning(message, use)) === use)
    await vscode.commands.executeCommand(commandIds.useConnection);
}

function commandOf(
  action: Exclude<
    DiagnosisActionId,
    "retry" | "learn-more" | "change-max-tokens" | "open-connections-setting"
  >,
): string {
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
    case "select-client-style":
      return commandIds.selectClientStyle;
  }
}

/** Shows a failure as a notification. Its buttons are up to two remedies and more information. */
export async function showFailure(
  owner: FailureOwner,
  diagnosis: Diagnosis,
  onRetry?: () => unknown,
  onDetails?: () => unknown,
): Promise<void> {
  const { cause, title, explanation, requestId } = diagnosis;
  const details = vscode.l10n.t("Show Details");
  const remedies = diagnosis.actions.filter(
    ({ id }) => id !== "learn-more" && (id !== "retry" || onRetry !== undefined),
  );
  const learnMore = diagnosis.actions.filter(({ id }) => id === "learn-more");
  // After the remedies, offer the check's page, or else the page about the cause.
  const further = onDetails === undefined ? learnMore.map(({ label }) => label) : [details];
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const chosen = await showError(
    `${owner.connectionName}: ${title}. ${explanation}${id}`,
    ...remedies.slice(0, 2).map(({ label }) => label),
    ...further,
  );
  if (chosen === details) await onDetails?.();
  const action = diagnosis.actions.find(({ label }) => label === chosen);
  if (action !== undefined) await runDiagnosisAction(action.id, { cause, owner, onRetry });
}

/** Opens the documentation page about a cause of failure. */
export async function showCausePage(cause: Cause): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return;
  const page = vscode.Uri.joinPath(extension.extensionUri, "docs", "causes", `${cause}.md`);
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
