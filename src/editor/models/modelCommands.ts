import * as v from "valibot";
import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import { commandIds } from "../../contributions.ts";
import { connectionForScript, requireConnection } from "../workspace/chooseConnection.ts";
import { pickClientStyle } from "../connections/connectionInputs.ts";
import { byFirst, listModelsForScript, pickModel, refreshWithProgress, useModel } from "./modelPicker.ts";
import type { ModelSources } from "./registerModels.ts";
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
  await selectFrom(options, [connection], placeholder);
}

async function selectModel(options: ModelSources): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined) return;
  await selectFrom(
    options,
    byFirst(options.connections.all, connection),
    vscode.l10n.t("Select a model, or type a model ID"),
  );
}

/** Selects a model for new chats. A model of another connection selects that connection as well. */
async function selectFrom(
  options: ModelSources,
  connections: readonly [Connection, ...Connection[]],
  placeholder: string,
): Promise<void> {
  const [connection] = connections;
  const model = options.connections.modelFor(connection);
  const clientStyle = options.connections.clientStyleFor(connection);
  const chosen = await pickModel(options, {
    title:
      connections.length > 1
        ? vscode.l10n.t("Model for New Chats in This Workspace")
        : vscode.l10n.t("Model for '{0}' in This Workspace", connection.name),
    placeholder,
    connections,
    stylesOf: (each) => [options.connections.clientStyleFor(each)],
    marked: {
      picked: { connection: connection.name, model, clientStyle },
      mark: vscode.l10n.t("in use"),
    },
    unlisted: options.connections.usedModels(connection),
  });
  if (chosen !== undefined) await useModel(options.connections, chosen);
}
