import * as v from "valibot";
import * as vscode from "vscode";
import { InferenceError } from "../../client/failure.ts";
import type { RetryNotice } from "../../client/retrying.ts";
import type { Diagnosis } from "../../connection/diagnosis.ts";
import type { Connection } from "../../connection/connection.ts";
import { commandIds } from "../../contributions.ts";
import type { Model } from "../../protocol/modelList.ts";
import { toAbortSignal } from "../cancellation.ts";
import { connectionForScript, requireConnection } from "../chooseConnection.ts";
import { showFailure } from "../failureNotice.ts";
import { askClientStyle } from "../inputs.ts";
import { listModelsForScript, type ModelsForScriptOptions } from "../modelsForScript.ts";
import { fallbackModel } from "../workspaceConnections.ts";
import { type CommandTable, isScriptArgument } from "./commandGroups.ts";

export type ModelCommandsOptions = ModelsForScriptOptions;

const argumentSchema = v.object({ connection: v.optional(v.string()) });

/** The list of models, and the workspace's choice among them. */
export function modelCommands(options: ModelCommandsOptions): CommandTable<"model"> {
  return {
    [commandIds.listModels]: (argument) =>
      isScriptArgument(argument) ? listForScript(options, argument) : showModels(options),
    [commandIds.selectModel]: () => selectModel(options),
    [commandIds.selectClientStyle]: () => selectClientStyle(options),
  };
}

async function listForScript(options: ModelCommandsOptions, argument: unknown) {
  const { connection } = v.parse(argumentSchema, argument);
  return listModelsForScript(options, connectionForScript(options.connections, connection));
}

async function selectClientStyle({ connections }: ModelCommandsOptions): Promise<void> {
  const connection = await requireConnection(connections);
  if (connection === undefined) return;
  const address = connection.address.kind === "address" ? connection.address.address : undefined;
  const title = vscode.l10n.t("Client Style of {0} in This Workspace", connection.name);
  const style = await askClientStyle(title, address, connections.clientStyleFor(connection));
  if (style !== undefined) await connections.chooseClientStyle(connection, style);
}

async function showModels(options: ModelCommandsOptions): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined) return;
  const models = await refreshWithProgress(options, connection);
  if (models === undefined) return;
  await pickModel(
    options,
    connection,
    models,
    vscode.l10n.t("{0} models; choose one to use it here", models.length),
  );
}

async function selectModel(options: ModelCommandsOptions): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined) return;
  const cached = options.catalog.cached(connection);
  const models = cached?.models ?? (await refreshWithProgress(options, connection)) ?? [];
  await pickModel(options, connection, models, vscode.l10n.t("Choose a model, or type the name of another"));
}

/** Undefined where the list could not be had; that was said, and does not stop a choice. */
async function refreshWithProgress(
  { catalog, clients, connections }: ModelCommandsOptions,
  connection: Connection,
): Promise<readonly Model[] | undefined> {
  const title = vscode.l10n.t("Asking {0} for its models", connection.name);
  const location = vscode.ProgressLocation.Notification;
  try {
    const listing = await vscode.window.withProgress(
      { location, title, cancellable: true },
      async (progress, token) => {
        const { diagnose } = await clients.serviceOf(connection);
        const onRetry = (notice: RetryNotice): void =>
          progress.report({ message: retryMessage(notice, diagnose(notice.failure)) });
        return catalog.refresh(connection, toAbortSignal(token), onRetry);
      },
    );
    return listing.models;
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    if (error.failure.kind === "cancelled") return undefined;
    const { diagnose } = await clients.serviceOf(connection);
    // Not awaited: the notice stays while the user goes on choosing.
    void showFailure({ connectionName: connection.name, connections }, diagnose(error.failure));
    return undefined;
  }
}

function retryMessage({ waitMs, attempt, of }: RetryNotice, { title }: Diagnosis): string {
  const seconds = Math.ceil(waitMs / 1000);
  return vscode.l10n.t("{0}. Trying again in {1} s ({2} of {3})", title, seconds, attempt, of);
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: string;
}

async function pickModel(
  options: ModelCommandsOptions,
  connection: Connection,
  models: readonly Model[],
  placeholder: string,
): Promise<void> {
  const picker = vscode.window.createQuickPick<ModelItem>();
  const refresh = {
    iconPath: new vscode.ThemeIcon("refresh"),
    tooltip: vscode.l10n.t("Ask the service again"),
  };
  let listed = models;
  const render = (): void => {
    picker.items = modelItems(listed, options.connections.modelFor(connection), picker.value.trim());
  };
  picker.title = vscode.l10n.t("Model of {0} in This Workspace", connection.name);
  picker.placeholder = placeholder;
  picker.matchOnDescription = true;
  picker.ignoreFocusOut = true;
  picker.buttons = [refresh];
  picker.onDidChangeValue(render);
  picker.onDidTriggerButton(async () => {
    picker.busy = true;
    listed = (await refreshWithProgress(options, connection)) ?? listed;
    picker.busy = false;
    render();
  });
  render();
  const chosen = await new Promise<string | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]?.model));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  picker.dispose();
  if (chosen !== undefined) await options.connections.chooseModel(connection, chosen);
}

/** The listed models, the specification's own where none is listed, and what was typed. */
function modelItems(models: readonly Model[], current: string, typed: string): readonly ModelItem[] {
  const listed = models.length === 0 ? [{ id: fallbackModel }] : models;
  const items: ModelItem[] = listed.map((model) => ({
    label: model.id,
    description: [
      ...(model.id === current ? [vscode.l10n.t("in use")] : []),
      ...("name" in model && model.name !== undefined && model.name !== model.id ? [model.name] : []),
      ...(models.length === 0
        ? [vscode.l10n.t("named by the specification; the list could not be had")]
        : []),
    ].join(" · "),
    model: model.id,
  }));
  if (typed !== "" && !listed.some(({ id }) => id === typed)) {
    items.push({ label: typed, description: vscode.l10n.t("use this name"), alwaysShow: true, model: typed });
  }
  return items;
}
