import type * as vscode from "vscode";
import type { Clients } from "../service/clients.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { afterStart, type Loading, register, registerCommands } from "../shared/registration.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { ModelCatalog } from "./modelCatalog.ts";

export interface ModelSources {
  readonly connections: WorkspaceConnections;
  readonly catalog: ModelCatalog;
  readonly clients: Clients;
  readonly compatibility: CompatibilityStore;
}

/** Registers the commands for the models and the client style of this workspace, and notices about request fields. */
export function registerModels(context: vscode.ExtensionContext, { load }: Loading<ModelSources>): void {
  registerCommands(context, "models", async () =>
    (await import("./modelCommands.ts")).modelCommands(await load()),
  );
  afterStart(context, async () => {
    const { RequestFieldNotices } = await import("../service/requestFields.ts");
    register(context, new RequestFieldNotices());
  });
}
