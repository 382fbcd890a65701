import * as vscode from "vscode";
import { InferenceError } from "../../client/failure/failure.ts";
import type { RetryNotice } from "../../client/request/retrying.ts";
import { type Connection, readModelName } from "../../connection/setup/connection.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import { describeModelProblem } from "../../connection/setup/inputTexts.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { reportError, showProgress } from "../shared/notices.ts";
import { showFailure } from "../failures/failureNotice.ts";
import type { ModelSources } from "./registerModels.ts";

/** Returns the models of the last listing, or lists them now. Returns an empty array if listing fails. */
export async function knownModels(sources: ModelSources, connection: Connection): Promise<readonly Model[]> {
  const cached = sources.catalog.cached(connection);
  return cached?.models ?? (await refreshWithProgress(sources, connection)) ?? [];
}

/** Returns undefined if listing fails or is canceled. A failure is shown, and the user can still choose. */
export async function refreshWithProgress(
  { catalog, clients, connections }: ModelSources,
  connection: Connection,
): Promise<readonly Model[] | undefined> {
  const title = vscode.l10n.t("Loading models from '{0}'", connection.name);
  const location = vscode.ProgressLocation.Notification;
  try {
    const listing = await showProgress({ location, title, cancellable: true }, async (progress, token) => {
      const { diagnose } = await clients.serviceOf(connection);
      const onRetry = (notice: RetryNotice): void =>
        progress.report({ message: retryMessage(notice, diagnose(notice.error)) });
      return catalog.refresh(connection, toAbortSignal(token), onRetry);
    });
    return listing.models;
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    if (error.failure.kind === "cancelled") return undefined;
    const { diagnose } = await clients.serviceOf(connection);
    // Not awaited: the notice stays open while the user continues to choose.
    reportError(showFailure({ connectionName: connection.name, connections }, diagnose(error)));
    return undefined;
  }
}

function retryMessage({ waitMs, attempt, of }: RetryNotice, { title }: Diagnosis): string {
  const seconds = Math.ceil(waitMs / 1000);
  return vscode.l10n.t("{0}. Trying again in {1} s ({2} of {3})", title, seconds, attempt, of);
}

export interface ModelItem<Choice> extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

interface ModelPicker<Choice> {
  readonly title: string;
  readonly placeholder: string;
  readonly models: readonly Model[];
  /** The rows for these models and for a typed model ID. `typed` is empty if no ID was typed. */
  readonly items: (models: readonly Model[], typed: string) => readonly ModelItem<Choice>[];
  /** Whether the row of this choice is active at first. By default, the first row is active. */
  readonly isActive?: (choice: Choice) => boolean;
}

/** Lets the user choose from rows for models, with a button to refresh the list. Resolves to undefined on Escape. */
export async function pickByModel<Choice>(
  sources: ModelSources,
  connection: Connection,
  { title, placeholder, models, items, isActive }: ModelPicker<Choice>,
): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<ModelItem<Choice>>();
  let listed = models;
  const render = (): void => {
    const typed = picker.value.trim();
    const rows = [...items(listed, readModelName(typed) ?? ""), ...refusalOf(typed, listed)];
    // New items make the first row active again, even while the user presses arrow keys. So set them only if changed.
    if (!areSame(rows, picker.items)) picker.items = rows;
  };
  picker.title = title;
  picker.placeholder = placeholder;
  picker.matchOnDescription = true;
  picker.ignoreFocusOut = true;
  picker.buttons = [
    { iconPath: new vscode.ThemeIcon("refresh"), tooltip: vscode.l10n.t("Refresh Model List") },
  ];
  picker.onDidChangeValue(render);
  const refresh = async (): Promise<void> => {
    picker.busy = true;
    try {
      listed = (await refreshWithProgress(sources, connection)) ?? listed;
      render();
    } finally {
      picker.busy = false;
    }
  };
  picker.onDidTriggerButton(() => reportError(refresh()));
  render();
  const active = picker.items.find(({ choice }) => choice !== undefined && isActive?.(choice) === true);
  if (active !== undefined) picker.activeItems = [active];
  const chosen = await new Promise<Choice | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const choice = picker.selectedItems[0]?.choice;
      if (choice !== undefined) resolve(choice);
    });
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  picker.dispose();
  return chosen;
}

/**
 * Says why the typed text is refused, for example because it is a key. A part of a listed ID is not refused, because it
 * filters the list.
 */
function refusalOf(typed: string, listed: readonly Model[]): readonly vscode.QuickPickItem[] {
  if (typed === "" || listed.some(({ id }) => id.includes(typed))) return [];
  const problem = describeModelProblem(typed, vscode.l10n.t);
  return problem === undefined ? [] : [{ label: problem, alwaysShow: true }];
}

function areSame(rows: readonly vscode.QuickPickItem[], others: readonly vscode.QuickPickItem[]): boolean {
  return (
    rows.length === others.length &&
    rows.every(
      ({ label, description, detail }, index) =>
        label === others[index]?.label &&
        description === others[index]?.description &&
        detail === others[index]?.detail,
    )
  );
}

/** Rejects with an error whose message is the diagnosis and whose `cause` is the cause's ID. */
export async function listModelsForScript(
  { catalog, clients }: ModelSources,
  connection: Connection,
): Promise<{ connection: string; models: readonly Model[] }> {
  try {
    const { models } = await catalog.refresh(connection, new AbortController().signal);
    return { connection: connection.name, models };
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { diagnose } = await clients.serviceOf(connection);
    throw toScriptError(diagnose(error));
  }
}

/** The error that scripts get: the diagnosis as its message, and the cause's ID. */
function toScriptError({ title, explanation, cause }: Diagnosis): Error {
  return new Error(`${title}. ${explanation}`, { cause });
}
