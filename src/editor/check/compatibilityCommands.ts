import * as vscode from "vscode";
import type { Addressee } from "../../client/request/requestMemory.ts";
import type { ServiceAddress } from "../../client/http/address.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import {
  countRequests,
  probeSteps,
  type ProbeStep,
  probeTitle,
} from "../../connection/compatibility/compatibility.ts";
import {
  type VerificationState,
  type CompatibilityFacts,
  type SeenOfStyle,
  compatibilityReport,
  compatibilityActions,
  compatibilityJson,
} from "../../connection/compatibility/compatibilityReport.ts";
import {
  type VerificationEnd,
  type VerificationOptions,
  verifyCompatibility,
} from "../../connection/compatibility/compatibilityVerification.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { connectionForScript, requireConnection } from "../workspace/chooseConnection.ts";
import { type ChosenProbes, type FirstSelected, pickProbes } from "./pickProbes.ts";
import { showFailure, type FailureOwner, runDiagnosisAction } from "../failures/failureNotice.ts";
import { showInformation, showProgress } from "../shared/notices.ts";
import type { CheckNeeds } from "./registerCheck.ts";
import type { ReportPanels, ReportListener } from "./reportPanel.ts";
import { probes as table } from "../../connection/compatibility/probes.ts";
import { type Report, reportMarkdown } from "../../connection/report/report.ts";
import { offerUndo } from "../shared/offerUndo.ts";

interface CompatibilityCommandsOptions extends CheckNeeds {
  readonly pages: ReportPanels;
}

/** The connection, base URL and model to verify. Fixed at the start, whatever the user selects during the run. */
interface Subject {
  readonly connection: Connection;
  readonly address: ServiceAddress;
  readonly model: string;
}

interface Asked extends FirstSelected {
  readonly connection: string;
  readonly model?: string;
}

/** Tests what a model supports in each client style. Sends billable requests that the user selects. */
export class CompatibilityCommands {
  readonly #options: CompatibilityCommandsOptions;
  /** By connection name: at most one run at a time, because runs are billed. Undefined until the page exists. */
  readonly #running = new Map<string, CompatibilityPage | undefined>();

  constructor(options: CompatibilityCommandsOptions) {
    this.#options = options;
  }

  /** Verifies a model of the named connection. Without a name, verifies what the workspace uses. */
  async verify(asked?: Asked): Promise<void> {
    const { connections, compatibility, clients } = this.#options;
    const connection =
      asked === undefined
        ? await requireConnection(connections)
        : connectionForScript(connections, asked.connection);
    if (connection === undefined) return;
    const { address: reading } = connection;
    if (reading.kind !== "address") {
      const { diagnose } = await clients.serviceOf(connection);
      const { problem, suggestion } = reading;
      const failure = {
        kind: "address",
        problem,
        ...(suggestion === undefined ? {} : { suggestion }),
      } as const;
      return showFailure(
        { connectionName: connection.name, connections },
        diagnose(new InferenceError(failure)),
      );
    }
    const model = asked?.model ?? connections.modelFor(connection);
    const subject = { connection, address: reading.address, model };
    if (this.#running.has(connection.name)) return this.#running.get(connection.name)?.reveal();
    const isSeen = clientStyles.some(
      (style) => compatibility.seen(addresseeOf(subject, style)).results.length > 0,
    );
    const chosen = await pickProbes(
      subject.address,
      isSeen ? () => void this.#page(subject).show() : undefined,
      asked,
    );
    if (chosen !== undefined) await this.#run(subject, chosen);
  }

  async #run(subject: Subject, chosen: ChosenProbes): Promise<void> {
    const { name } = subject.connection;
    if (this.#running.has(name)) return;
    this.#running.set(name, undefined);
    try {
      if (await confirmRequests(subject, chosen)) await this.#runWithProgress(subject, chosen);
    } finally {
      this.#running.delete(name);
    }
  }

  /** Runs again with the connection's current settings. The page may show outdated settings. */
  async #runAgain({ connection: { name }, model }: Subject, chosen: ChosenProbes): Promise<void> {
    const connection = connectionForScript(this.#options.connections, name);
    if (connection.address.kind === "problem") return this.verify({ connection: name, model });
    await this.#run({ connection, address: connection.address.address, model }, chosen);
  }

  async #runWithProgress(subject: Subject, chosen: ChosenProbes): Promise<void> {
    const { health, compatibility } = this.#options;
    const { name } = subject.connection;
    const steps = probeSteps(chosen.styles, chosen.probes);
    for (const style of chosen.styles) compatibility.forgetRefusals(addresseeOf(subject, style));
    const call = health.begin(name);
    const page = this.#page(subject, chosen);
    this.#running.set(name, page);
    let state: VerificationState = { steps };
    /** Whether this run got an answer. Results of earlier runs do not verify the current key. */
    let isAnswered = false;
    await page.show(state);
    const end = await showProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Verifying the compatibility of {0}", name),
        cancellable: true,
      },
      async (progress, token) => {
        return this.#verify(subject, steps, toAbortSignal(token), {
          onStep: (running) => {
            const title = probeTitle(running.probe, vscode.l10n.t);
            const request = countRequests(steps.slice(0, steps.indexOf(running))) + 1;
            const message = `${running.clientStyle}: ${title} (${request}/${countRequests(steps)})`;
            progress.report({ message, increment: 100 / steps.length });
            state = { steps, running };
            void page.update(state);
          },
          onResult: (result) => {
            compatibility.add(addresseeOf(subject, result.clientStyle), result);
            isAnswered ||= result.state === "yes";
          },
        });
      },
    );
    await page.update({ ...state, end });
    if (end.kind === "failed") call.failed(end.diagnosis.cause, end.diagnosis.title);
    if (end.kind === "complete" && isAnswered) call.succeeded();
  }

  async #verify(
    subject: Subject,
    steps: readonly ProbeStep[],
    signal: AbortSignal,
    listener: Pick<VerificationOptions, "onStep" | "onResult">,
  ): Promise<VerificationEnd> {
    const { clients, keys, compatibility } = this.#options;
    const { connection, model } = subject;
    const service = await clients.serviceOf(connection, model);
    try {
      const key = await keys.readCredentials(connection);
      return await verifyCompatibility(
        {
          model,
          steps,
          memory: compatibility,
          createClient: (memory) => service.createClient(key, { kind: "compatibility" }, memory),
          diagnose: service.diagnose,
          now: () => new Date(),
          t: vscode.l10n.t,
          ...listener,
        },
        signal,
      );
    } catch (error) {
      // The key is missing, unreadable or invalid. Nothing was sent.
      if (!(error instanceof InferenceError)) throw error;
      return { kind: "failed", diagnosis: service.diagnose(error) };
    }
  }

  #page(subject: Subject, chosen?: ChosenProbes): CompatibilityPage {
    const { pages, compatibility, connections } = this.#options;
    return new CompatibilityPage({
      pages,
      connections,
      connection: subject.connection.name,
      base: subject.address.base,
      model: subject.model,
      seen: (style) => compatibility.seen(addresseeOf(subject, style)),
      onVerifyAgain: () =>
        chosen === undefined
          ? this.verify({ connection: subject.connection.name, model: subject.model })
          : this.#runAgain(subject, chosen),
      onForget: () => this.#forget(subject),
    });
  }

  /** Forgets the results. The returned function restores them. */
  #forget(subject: Subject): () => void {
    const { compatibility } = this.#options;
    const restores = clientStyles.map((style) => compatibility.forget(addresseeOf(subject, style)));
    return () => {
      for (const restore of restores) restore();
    };
  }
}

function addresseeOf({ address, model }: Subject, clientStyle: ClientStyle): Addressee {
  return { origin: address.origin, model, clientStyle };
}

async function confirmRequests(
  { connection, model }: Subject,
  { styles, probes }: ChosenProbes,
): Promise<boolean> {
  const verify = vscode.l10n.t("Verify");
  const steps = probeSteps(styles, probes);
  const count = countRequests(steps);
  const tokens = steps.reduce(
    (sum, step) => sum + table[step.probe].request.maxTokens * countRequests([step]),
    0,
  );
  const message =
    count === 1
      ? vscode.l10n.t("Send 1 billable request to '{0}'?", connection.name)
      : vscode.l10n.t("Send {0} billable requests to '{1}'?", count, connection.name);
  const detail = vscode.l10n.t(
    "Model: {0}. Client style: {1}. At most {2} tokens are generated in total. The verification stops early if the service refuses the key, the budget is used up, or the network fails. You can cancel at any time.",
    model,
    new Intl.ListFormat(vscode.env.language).format(styles),
    tokens,
  );
  return (await showInformation(message, { modal: true, detail }, verify)) === verify;
}

interface CompatibilityPageOptions {
  readonly pages: ReportPanels;
  readonly connections: FailureOwner["connections"];
  readonly connection: string;
  readonly base: string;
  readonly model: string;
  readonly seen: (clientStyle: ClientStyle) => SeenOfStyle;
  readonly onVerifyAgain: () => Promise<void>;
  /** Forgets the results. Returns a function that restores them. */
  readonly onForget: () => () => void;
}

/** The page with the results of both client styles for one connection and model. */
class CompatibilityPage {
  readonly #options: CompatibilityPageOptions;
  readonly #listener: ReportListener = { onAction: (id) => this.#act(id) };
  #run: VerificationState | undefined;

  constructor(options: CompatibilityPageOptions) {
    this.#options = options;
  }

  /** Opens the page, or brings it to the front. */
  async show(run?: VerificationState): Promise<void> {
    this.#run = run;
    this.#options.pages.show(this.#key, await this.#report(), this.#listener);
  }

  /** Shows the page again, even after it was closed. */
  async reveal(): Promise<void> {
    await this.show(this.#run);
  }

  /** Updates the page if it is open. */
  async update(run?: VerificationState): Promise<void> {
    this.#run = run;
    const report = await this.#report();
    // The run may have changed while the report was built.
    if (this.#run === run) this.#options.pages.update(this.#key, report);
  }

  get #key(): string {
    return `compatibility:${this.#options.connection}`;
  }

  get #facts(): CompatibilityFacts {
    const { connection, base, model, seen } = this.#options;
    return {
      connection,
      base,
      model,
      seen,
      ...(this.#run === undefined ? {} : { run: this.#run }),
    };
  }

  async #report(): Promise<Report> {
    return compatibilityReport(this.#facts, vscode.l10n.t);
  }

  async #act(id: string): Promise<void> {
    const own = compatibilityActions.find((action) => action === id);
    switch (own) {
      case "verify-again":
        return this.#options.onVerifyAgain();
      case "copy-markdown":
        return copy(reportMarkdown(await this.#report()));
      case "copy-json":
        return copy(compatibilityJson(this.#facts));
      case "forget":
        return this.#forget();
      case undefined:
        return this.#runDiagnosisAction(id);
    }
  }

  async #forget(): Promise<void> {
    const restore = this.#options.onForget();
    offerUndo(vscode.l10n.t("Cleared the results for '{0}'.", this.#options.model), async () => {
      restore();
      // The page may show another model or another run by now.
      if (this.#options.pages.isOf(this.#key, this.#listener)) await this.update(this.#run);
    });
    await this.update();
  }

  async #runDiagnosisAction(id: string): Promise<void> {
    const { diagnosis } = this.#run?.end?.kind === "failed" ? this.#run.end : {};
    const action = diagnosis?.actions.find((offered) => offered.id === id);
    const { connection: connectionName, connections, onVerifyAgain } = this.#options;
    if (action !== undefined)
      await runDiagnosisAction(action.id, {
        cause: diagnosis?.cause,
        owner: { connectionName, connections },
        onRetry: () => onVerifyAgain(),
      });
  }
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t("Copied"), 3000);
}
