import * as vscode from "vscode";
import type { Cause } from "../../client/failure/cause.ts";
import {
  type CheckActionId,
  type CheckProgress,
  buildCheckReport,
  chatsText,
} from "../../connection/check/checkReport.ts";
import type { CheckOutcome } from "../../connection/check/connectionCheck.ts";
import type { CheckResult, CheckStep, CheckStepId } from "../../connection/check/checkSteps.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { DiagnosisActionId } from "../../connection/diagnosis/diagnosis.ts";
import { PacedDrawing } from "../../connection/check/pacedDrawing.ts";
import { commandIds } from "../../contributions.ts";
import type { CheckConsents } from "./checkConsents.ts";
import { reportError, showInformation, showWarning } from "../shared/notices.ts";
import { runDiagnosisAction, showFailure } from "../failures/failureNotice.ts";
import type { CheckNeeds } from "./registerCheck.ts";
import type { ReportPanels } from "./reportPanel.ts";
import { checkConnection } from "../../connection/check/connectionCheck.ts";

interface CheckRunsOptions extends CheckNeeds {
  readonly consents: CheckConsents;
  readonly pages: ReportPanels;
}

/** Runs connection checks: silently for scripts, on a report page for users. */
export class CheckRuns {
  readonly #options: CheckRunsOptions;
  /** By connection name. Only one check with a report page runs per connection, because checks are billed. */
  readonly #running = new Map<string, AbortController>();
  readonly #lastResults = new Map<string, CheckResult>();

  constructor(options: CheckRunsOptions) {
    this.#options = options;
  }

  /** Returns the last check of the connection that finished in this window. */
  lastResult(connectionName: string): CheckResult | undefined {
    return this.#lastResults.get(connectionName);
  }

  /** @throws the abort reason of `signal` */
  async run(
    connection: Connection,
    billable: boolean,
    signal: AbortSignal,
    onStep?: (id: CheckStepId, done: readonly CheckStep[]) => void,
  ): Promise<CheckOutcome> {
    const { connections, keys, clients, catalog, health } = this.#options;
    const call = health.begin(connection.name);
    const service = await clients.freshServiceOf(connection, { kind: "check" });
    try {
      const outcome = await checkConnection(
        {
          connection,
          clientStyle: connections.clientStyleFor(connection),
          model: connections.modelFor(connection),
          billable,
          readKey: () => keys.readCredentials(connection),
          ...service,
          now: () => new Date(),
          clock: () => performance.now(),
          t: vscode.l10n.t,
          ...(onStep === undefined ? {} : { onStep }),
        },
        signal,
      );
      this.#lastResults.set(connection.name, outcome.result);
      if (outcome.models !== undefined) await catalog.save(connection, outcome.models);
      if (outcome.diagnosis !== undefined) call.failed(outcome.diagnosis.cause, outcome.diagnosis.title);
      // Listing models does not verify the key, because some services list models without a key.
      else if (outcome.canChat) {
        call.succeeded();
        this.#options.onPassed();
      }
      return outcome;
    } finally {
      service.close();
    }
  }

  /** Runs a check and shows each step. Asks for consent to billable steps unless `billable` is set. */
  async runForPerson(connection: Connection, billable?: boolean): Promise<void> {
    const { consents, pages } = this.#options;
    const { name } = connection;
    if (this.#running.has(name)) {
      pages.reveal(keyOf(name));
      return;
    }
    const bill = billable ?? (await consents.request(connection));
    if (bill === undefined || this.#running.has(name)) return;
    const stopping = new AbortController();
    this.#running.set(name, stopping);
    try {
      await this.#showRun(connection, bill, stopping);
    } finally {
      this.#running.delete(name);
    }
  }

  async #showRun(connection: Connection, billable: boolean, stopping: AbortController): Promise<void> {
    const { connections, pages } = this.#options;
    const { name } = connection;
    let check: CheckProgress = {
      connection: name,
      clientStyle: connections.clientStyleFor(connection),
      model: connections.modelFor(connection),
      at: new Date(),
      billable,
      steps: [],
      state: { kind: "running" },
    };
    const drawing = new PacedDrawing(() => pages.update(keyOf(name), buildCheckReport(check, vscode.l10n.t)));
    const end = (change: Partial<CheckProgress>): void => {
      check = { ...check, ...change };
      drawing.now();
    };
    pages.show(keyOf(name), buildCheckReport(check, vscode.l10n.t), {
      onAction: (id) => this.#act(id, check, connection),
      // Stop the run: a closed page shows no result, and the remaining steps would be billed.
      onClose: () => this.#running.get(name)?.abort(),
    });
    try {
      const outcome = await this.run(connection, billable, stopping.signal, (step, steps) => {
        check = { ...check, steps, state: { kind: "running", step } };
        drawing.soon();
      });
      const { result, diagnosis } = outcome;
      const state = {
        kind: "done",
        ok: result.ok,
        canChat: outcome.canChat,
        ...(diagnosis === undefined ? {} : { diagnosis }),
      } as const;
      end({ steps: result.steps, at: new Date(result.at), state });
      this.#notify(connection, billable, outcome);
    } catch (error) {
      end({ state: { kind: "stopped" } });
      if (!stopping.signal.aborted) throw error;
    }
  }

  /** Shows the result as a notification, unless the page is visible. */
  #notify(connection: Connection, billable: boolean, outcome: CheckOutcome): void {
    const { diagnosis } = outcome;
    const { pages, connections } = this.#options;
    const { name } = connection;
    const key = keyOf(name);
    if (pages.isVisible(key)) return;
    const details = (): void => void pages.reveal(key);
    const shown =
      diagnosis === undefined
        ? showEnd(outcome, details)
        : showFailure(
            { connectionName: name, connections },
            diagnosis,
            () => this.#runAgain(connection, billable),
            details,
          );
    reportError(shown);
  }

  async #act(id: string, { billable, state }: CheckProgress, connection: Connection): Promise<void> {
    if (!isCheckAction(id))
      return this.#fix(id, connection.name, state.kind === "done" ? state.diagnosis?.cause : undefined);
    switch (id) {
      case "stop":
        this.#running.get(connection.name)?.abort();
        return;
      case "run-again":
        return this.#runAgain(connection, billable);
      case "run-billable":
        return this.#runAgain(connection);
      case "copy-support-report":
        await vscode.commands.executeCommand(commandIds.copySupportReport, connection.name);
        return;
      case "copy-json":
        return copyJson(this.lastResult(connection.name));
    }
  }

  async #fix(id: string, connectionName: string, cause: Cause | undefined): Promise<void> {
    const { connections } = this.#options;
    const fix = fixes.find((action) => action === id);
    if (fix !== undefined) await runDiagnosisAction(fix, { cause, owner: { connectionName, connections } });
  }

  /** Runs the check with the connection's current settings. The page may show outdated settings. */
  async #runAgain({ name }: Connection, billable?: boolean): Promise<void> {
    const connection = this.#options.connections.named(name);
    if (connection !== undefined) {
      // Asks for consent if the user has not consented for the current origin and client style.
      return this.runForPerson(connection, billable === false ? false : undefined);
    }
    await showWarning(vscode.l10n.t("No connection is named '{0}'.", name));
  }
}

const checkActions: Readonly<Record<CheckActionId, true>> = {
  stop: true,
  "run-again": true,
  "run-billable": true,
  "copy-support-report": true,
  "copy-json": true,
};

function isCheckAction(id: string): id is CheckActionId {
  return Object.hasOwn(checkActions, id);
}

const fixes = [
  "set-api-key",
  "select-model",
  "edit-connection",
  "open-connections-setting",
  "add-connection",
  "show-log",
  "new-chat",
  "change-max-tokens",
  "select-client-style",
  "learn-more",
] satisfies readonly DiagnosisActionId[];

async function copyJson(result: CheckResult | undefined): Promise<void> {
  if (result === undefined) return;
  await vscode.env.clipboard.writeText(JSON.stringify(result, null, 2));
  vscode.window.setStatusBarMessage(vscode.l10n.t("Copied the check results as JSON"), 3000);
}

async function showEnd({ result, canChat }: CheckOutcome, onDetails: () => void): Promise<void> {
  const details = vscode.l10n.t("Show Details");
  const message = result.ok
    ? vscode.l10n.t("'{0}': the check passed. Tool use was not tested.", result.connection)
    : canChat
      ? `${result.connection}: ${chatsText(result.steps, vscode.l10n.t)}`
      : vscode.l10n.t("'{0}': the free steps passed. The API key was not verified.", result.connection);
  if ((await showInformation(message, details)) === details) onDetails();
}

function keyOf(connectionName: string): string {
  return `check:${connectionName}`;
}
