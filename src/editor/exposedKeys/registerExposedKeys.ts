import type * as vscode from "vscode";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { lazy } from "../shared/lazy.ts";
import { afterStart, type Loading, register, registerCommands } from "../shared/registration.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { ExposedKeyOptions } from "./exposedKeyReplacement.ts";

export interface ExposedKeyNeeds {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly searchedKeys: SearchedKeys;
}

interface LoadingWithChecks extends Loading<ExposedKeyNeeds> {
  readonly loadChecks: () => Promise<Pick<ExposedKeyOptions, "check">>;
}

/** Marks exposed keys in files while the window is open, and registers the commands to replace them. */
export function registerExposedKeys(
  context: vscode.ExtensionContext,
  { load, loadChecks }: LoadingWithChecks,
): void {
  const loadMarks = lazy(async () => {
    const { connections, keys, searchedKeys } = await load();
    const { ExposedKeyDiagnostics } = await import("./exposedKeyDiagnostics.ts");
    const marks = register(context, new ExposedKeyDiagnostics(searchedKeys));
    const searchAgain = (): void => marks.searchAgain();
    const renew = (): void => {
      marks.forgetClosedFiles();
      searchAgain();
    };
    context.subscriptions.push(
      keys.onDidChange(renew),
      keys.onDidAnswerAfterTimeout(searchAgain),
      connections.onDidMove(renew),
      connections.onDidChange(searchAgain),
    );
    return marks;
  });
  registerCommands(context, "exposedKeys", async () => {
    const { exposedKeyCommands } = await import("./exposedKeyCommands.ts");
    return exposedKeyCommands(await load(), await loadMarks(), (await loadChecks()).check);
  });
  afterStart(context, loadMarks);
}
