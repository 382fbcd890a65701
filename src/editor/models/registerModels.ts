import type * as vscode from "vscode";
import type { Clients } from "../service/clients.ts";
import { type Loading, registerCommands } from "../shared/registration.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { ModelCatalog } from "./modelCatalog.ts";

export interface ModelSources {
  readonly connections: WorkspaceConnections;
  readonly catalog: ModelCatalog;
  readonly clients: Clients;
}

/** The list of models, and the workspace's choice among them. */
export function registerModels(context: vscode.ExtensionContext, { load }: Loading<ModelSources>): void {
  registerCommands(context, "models", async () =>
    (await import("./modelCommands.ts")).modelCommands(await load()),
  );
}
