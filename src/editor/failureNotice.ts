import * as vscode from "vscode";
import type { Diagnosis, DiagnosisActionId } from "../connection/diagnosis.ts";
import { commandIds } from "../contributions.ts";

/** Runs what a diagnosis offers. `retry` is the caller's own and does nothing without `onRetry`. */
export async function runDiagnosisAction(action: DiagnosisActionId, onRetry?: () => unknown): Promise<void> {
  if (action === "retry") {
    await onRetry?.();
    return;
  }
  await vscode.commands.executeCommand(commandOf(action));
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
  connectionName: string,
  diagnosis: Diagnosis,
  onRetry?: () => unknown,
): Promise<void> {
  const { title, explanation, requestId } = diagnosis;
  const actions = diagnosis.actions.filter(({ id }) => id !== "retry" || onRetry !== undefined);
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const chosen = await vscode.window.showErrorMessage(
    `${connectionName}: ${title}. ${explanation}${id}`,
    ...actions.slice(0, 3).map(({ label }) => label),
  );
  const action = actions.find(({ label }) => label === chosen);
  if (action !== undefined) await runDiagnosisAction(action.id, onRetry);
}
