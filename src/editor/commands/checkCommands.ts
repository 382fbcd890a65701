import * as v from "valibot";
import * as vscode from "vscode";
import type { CheckOutcome, CheckResult, CheckStepId } from "../../connection/connectionCheck.ts";
import type { Connection } from "../../connection/connection.ts";
import { commandIds } from "../../contributions.ts";
import type { ApiKeyStore } from "../apiKeyStore.ts";
import { toAbortSignal } from "../cancellation.ts";
import type { CheckReports } from "../checkReports.ts";
import { connectionForScript, requireConnection } from "../chooseConnection.ts";
import type { Clients } from "../clients.ts";
import type { ConnectionHealth } from "../connectionHealth.ts";
import { showFailure } from "../failureNotice.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";
import { type CommandTable, isScriptArgument } from "./commandTable.ts";

export interface CheckCommandsOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly clients: Clients;
  readonly health: ConnectionHealth;
  readonly reports: CheckReports;
}

const argumentSchema = v.object({
  connection: v.optional(v.string()),
  billable: v.optional(v.boolean(), true),
});

/** The connection check, for people (with consent and a report) and for scripts (plain JSON). */
export function checkCommands(options: CheckCommandsOptions): CommandTable {
  const running = new Set<string>();
  return {
    [commandIds.checkConnection]: (argument) =>
      isScriptArgument(argument)
        ? checkForScript(options, v.parse(argumentSchema, argument))
        : checkForPerson(options, running),
  };
}

async function checkForScript(
  options: CheckCommandsOptions,
  { connection: name, billable }: v.InferOutput<typeof argumentSchema>,
): Promise<CheckResult> {
  const connection = connectionForScript(options.connections, name);
  const { result } = await runCheck(options, connection, billable, new AbortController().signal);
  return result;
}

/** `running` names the connections that are being checked: each at most once at a time, since it bills. */
async function checkForPerson(options: CheckCommandsOptions, running: Set<string>): Promise<void> {
  const connection = await requireConnection(options.connections);
  if (connection === undefined || running.has(connection.name) || !(await consent(options, connection)))
    return;
  running.add(connection.name);
  const outcome = await checkWithProgress(options, connection).finally(() => running.delete(connection.name));
  if (outcome === undefined) return;
  options.reports.add(outcome.result);
  if (outcome.diagnosis === undefined) await showSuccess(options, outcome.result);
  else {
    const retry = (): Promise<void> => checkForPerson(options, running);
    const details = (): Promise<void> => options.reports.show(outcome.result);
    await showFailure(connection.name, outcome.diagnosis, retry, details);
  }
}

async function consent({ connections }: CheckCommandsOptions, connection: Connection): Promise<boolean> {
  const run = vscode.l10n.t("Run Check");
  const model = connections.modelFor(connection);
  const detail =
    connections.clientStyleFor(connection) === "messages"
      ? vscode.l10n.t(
          "It lists the models, then makes two billable requests of 1 generated token each with {0}.",
          model,
        )
      : vscode.l10n.t(
          "It lists the models, then makes one billable request of 1 generated token with {0}.",
          model,
        );
  const message = vscode.l10n.t("Check the connection {0}?", connection.name);
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, run)) === run;
}

/** Undefined where the user stopped it. */
async function checkWithProgress(
  options: CheckCommandsOptions,
  connection: Connection,
): Promise<CheckOutcome | undefined> {
  const title = vscode.l10n.t("Checking {0}", connection.name);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const signal = toAbortSignal(token);
    try {
      return await runCheck(options, connection, true, signal, (id) =>
        progress.report({ message: stepTitle(id) }),
      );
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

/** Rejects where the signal is aborted. */
export async function runCheck(
  { connections, keys, clients, health }: CheckCommandsOptions,
  connection: Connection,
  billable: boolean,
  signal: AbortSignal,
  onStep?: (id: CheckStepId) => void,
): Promise<CheckOutcome> {
  const { checkConnection } = await import("../../connection/connectionCheck.ts");
  const call = health.begin(connection.name);
  const service = await clients.serviceOf(connection);
  const outcome = await checkConnection(
    {
      connection,
      clientStyle: connections.clientStyleFor(connection),
      model: connections.modelFor(connection),
      billable,
      readKey: () => keys.read(connection),
      ...service,
      now: () => new Date(),
      clock: () => performance.now(),
      t: vscode.l10n.t,
      ...(onStep === undefined ? {} : { onStep }),
    },
    signal,
  );
  if (outcome.diagnosis !== undefined) call.failed(outcome.diagnosis.cause, outcome.diagnosis.title);
  // Listing models proves nothing of the key, since some services list them to anyone.
  else if (outcome.result.ok) call.succeeded();
  return outcome;
}

async function showSuccess({ reports }: CheckCommandsOptions, result: CheckResult): Promise<void> {
  const details = vscode.l10n.t("Show Details");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("{0}: the check passed. It does not prove that tool use works.", result.connection),
    details,
  );
  if (chosen === details) await reports.show(result);
}

function stepTitle(id: CheckStepId): string {
  switch (id) {
    case "address":
      return vscode.l10n.t("address");
    case "key":
      return vscode.l10n.t("key");
    case "network":
      return vscode.l10n.t("network");
    case "models":
      return vscode.l10n.t("models");
    case "completion":
      return vscode.l10n.t("completion (billable)");
    case "message":
      return vscode.l10n.t("message (billable)");
  }
}
