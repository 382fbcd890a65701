import * as v from "valibot";
import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import { commandIds } from "../../contributions.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { connectionForScript, requireConnection } from "../workspace/chooseConnection.ts";
import { pickClientStyle } from "../connections/connectionInputs.ts";
import {
  knownModels,
  type ModelItem,
  pickByModel,
  refreshWithProgress,
  listModelsForScript,
} from "./modelPicker.ts";
import type { ModelSources } from "./registerModels.ts";
import { fallbackModel } from "../workspace/workspaceConnections.ts";
import { type CommandTable, isScriptArgument } from "../shared/registration.ts";

const argumentSchema = v.object({ connection: v.optional(v.string()) });

/** The commands that list the models and select this workspace's model and client style. */
export function modelCommands(options: ModelSources): CommandTable<"models"> {
  return {
    [commandIds.listModels]: (argument) =>
      isScriptArgument(argument) ? listForScript(options, argument) : showModels(options),
    [commandIds.selectModel]: () => selectModel(options),
    [commandIds.selectClientStyle]: () => selectClientStyle(options),
  };
}

async function listForScript(options: ModelSources, argument: unknown) {
  const { connection } = v.parse(argumentSchema, argument);
  return listModelsForScript(options, connectionForScript(options.connections, connection));
}

async function selectClientStyle({ connections }: ModelSources): Promise<void> {
  const connection = await requireConnection(connections);
  if (connection === undefined) return;
  const address = connection.address.kind === "address" ? connection.address.address : undefined;
  const title = vscode.l10n.t("Client Style for '{0}' in This Workspace", connection.name);
  const style = await pickClientStyle(title, address, connections.clientStyleFor(connection));
  if (style !== undefined) await connections.chooseClientStyle(connection, style);
}

async function showModels(options: ModelSources): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined) return;
  const models = await refreshWithProgress(options, connection);
  if (models === undefined) return;
  const placeholder =
    models.length === 1
      ? vscode.l10n.t("1 model. Select it to use it in this workspace.")
      : vscode.l10n.t("{0} models. Select one to use it in this workspace.", models.length);
  await pickModel(options, connection, models, placeholder);
}

async function selectModel(options: ModelSources): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined) return;
  const models = await knownModels(options, connection);
  await pickModel(options, connection, models, vscode.l10n.t("Select a model, or type a model ID"));
}

async function pickModel(
  options: ModelSources,
  connection: Connection,
  models: readonly Model[],
  placeholder: string,
): Promise<void> {
  const chosen = await pickByModel(options, connection, {
    title: vscode.l10n.t("Model for '{0}' in This Workspace", connection.name),
    placeholder,
    models,
    items: (listed, typed) => modelItems(listed, options.connections.usedModels(connection), typed),
  });
  if (chosen === undefined) return;
  await options.connections.chooseModel(connection, chosen.model, chosen.from);
}

interface ModelChoice {
  readonly model: string;
  readonly from: "list" | "typed";
}

/**
 * Items for the listed models and for the typed ID. If no model is listed, offers the models used here and the
 * specification's model.
 */
function modelItems(
  models: readonly Model[],
  used: readonly string[],
  typed: string,
): readonly ModelItem<ModelChoice>[] {
  const [current] = used;
  const unlisted = [...new Set([...used, fallbackModel])].map((id) => ({ id }));
  const listed = models.length === 0 ? unlisted : models;
  const items: ModelItem<ModelChoice>[] = listed.map((model) => ({
    label: model.id,
    description: [
      ...(model.id === current ? [vscode.l10n.t("in use")] : []),
      ...("name" in model && model.name !== undefined && model.name !== model.id ? [model.name] : []),
      ...(models.length === 0 ? [whereFrom(model.id, used)] : []),
    ].join(" · "),
    choice: { model: model.id, from: models.length === 0 ? "typed" : "list" },
  }));
  if (typed !== "" && !listed.some(({ id }) => id === typed)) {
    items.push({
      label: typed,
      description: vscode.l10n.t("use this model ID"),
      alwaysShow: true,
      choice: { model: typed, from: "typed" },
    });
  }
  return items;
}

function whereFrom(model: string, used: readonly string[]): string {
  return used.includes(model)
    ? vscode.l10n.t("used in this workspace (couldn't load the model list)")
    : vscode.l10n.t("default if no model is set (couldn't load the model list)");
}
