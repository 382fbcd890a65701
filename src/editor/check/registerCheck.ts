import type * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { ModelSources } from "../models/registerModels.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import type { ConnectionHealth } from "../service/connectionHealth.ts";
import type { RequestLog } from "../service/requestLog.ts";
import type { RequestRecorder } from "../service/requestRecorder.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { lazy } from "../shared/lazy.ts";
import { type CommandTable, type Loading, registerCommands } from "../shared/registration.ts";
import type { State } from "../workspace/state.ts";
import type { CheckConsents } from "./checkConsents.ts";
import type { CheckRuns } from "./checkRuns.ts";

export interface CheckNeeds extends ModelSources {
  readonly keys: ApiKeyStore;
  readonly health: ConnectionHealth;
  readonly compatibility: CompatibilityStore;
  readonly log: RequestLog;
  readonly recorder: RequestRecorder;
  readonly loadStore: () => Promise<ConversationStore>;
  readonly searchedKeys: SearchedKeys;
  readonly globalState: State;
  readonly extensionVersion: string;
  /** Called after each check whose billable steps all succeeded. */
  readonly onPassed: () => void;
}

export interface Checks {
  readonly runs: CheckRuns;
  readonly consents: CheckConsents;
  /** Runs the billable check. Rejects if aborted. */
  readonly check: (connection: Connection, signal: AbortSignal) => Promise<{ readonly ok: boolean }>;
  readonly commands: CommandTable<"check">;
}

/** Registers connection checks, compatibility tests, the support report and the log. Returns a loader of the checks. */
export function registerCheck(
  context: vscode.ExtensionContext,
  { load }: Loading<CheckNeeds>,
): () => Promise<Checks> {
  const loadChecks = lazy(async () => (await import("./checks.ts")).createChecks(context, await load()));
  registerCommands(context, "check", async () => (await loadChecks()).commands);
  return loadChecks;
}
