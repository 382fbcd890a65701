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
  onDetails?: () => unknown,
): Promise<void> {
  const { title, explanation, requestId } = diagnosis;
  const details = vscode.l10n.t("Show Details");
  const actions = diagnosis.actions.filter(({ id }) => id !== "retry" || onRetry !== undefined);
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const chosen = await vscode.window.showErrorMessage(
    withoutLinks(`${connectionName}: ${title}. ${explanation}${id}`),
    ...actions.slice(0, onDetails === undefined ? 3 : 2).map(({ label }) => label),
    ...(onDetails === undefined ? [] : [details]),
  );
  if (chosen === details) await onDetails?.();
  const action = actions.find(({ label }) => label === chosen);
  if (action !== undefined) await runDiagnosisAction(action.id, onRetry);
}

/** Notifications read `[text](command:...)` as a link that runs it; a server's words must not be one. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
