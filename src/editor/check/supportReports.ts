import { release } from "node:os";
import * as vscode from "vscode";
import { withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { SupportFacts } from "../../connection/check/supportReport.ts";
import type { CheckRuns } from "./checkRuns.ts";
import type { CheckNeeds } from "./registerCheck.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { LoggedCall } from "../service/requestLog.ts";
import { readNetworkSettings, readTransportSetting } from "../service/networkSettings.ts";
import { formatSupportReport } from "../../connection/check/supportReport.ts";

const scheme = "inference-support";

interface SupportReportsOptions extends CheckNeeds {
  readonly runs: CheckRuns;
}

/** Shows the support report in an editor. The Copy button copies exactly the shown text. Nothing is sent. */
export class SupportReports implements vscode.Disposable {
  readonly #options: SupportReportsOptions;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  #text = "";

  constructor(options: SupportReportsOptions) {
    this.#options = options;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    });
  }

  async show(connection: Connection | undefined): Promise<void> {
    const facts = await this.#facts(connection);
    const keys = await this.#options.searchedKeys.list();
    const { text } = withoutExposedKeys(formatSupportReport(facts), keys);
    this.#text = text;
    const uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t("Support Report")}` });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    reportError(this.#offer(text));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #offer(text: string): Promise<void> {
    const copy = vscode.l10n.t("Copy");
    const message = vscode.l10n.t(
      "This is the support report. It contains no API key and nothing from your chats.",
    );
    if ((await showInformation(message, copy)) !== copy) return;
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(vscode.l10n.t("Copied the support report"), 3000);
  }

  async #facts(connection: Connection | undefined): Promise<SupportFacts> {
    const { systemCertificates, strictCertificates } = readNetworkSettings();
    const { extensionVersion } = this.#options;
    const route = connection === undefined ? undefined : await this.#options.clients.routeOf(connection);
    return {
      at: new Date(),
      ...this.#subjectOf(connection),
      ...(connection?.address.kind === "address" ? { origin: connection.address.address.origin } : {}),
      ...(connection?.headers === undefined
        ? {}
        : { headerNames: connection.headers.map(({ name }) => name) }),
      versions: {
        extension: extensionVersion,
        editor: `${vscode.env.appName} ${vscode.version}`,
        node: process.version,
        system: `${process.platform} ${release()} ${process.arch}`,
      },
      ...(route === undefined ? {} : { route }),
      systemCertificates: systemCertificates === true,
      strictCertificates,
      transportSetting: readTransportSetting(),
    };
  }

  /** Returns the last check. Returns a request instead if no check ran, or if the request failed after the check. */
  #subjectOf(connection: Connection | undefined): Pick<SupportFacts, "subject" | "model" | "clientStyle"> {
    if (connection === undefined) return {};
    const { connections, runs, log } = this.#options;
    const now = {
      model: connections.modelFor(connection),
      clientStyle: connections.clientStyleFor(connection),
    };
    const check = runs.lastResult(connection.name);
    const failed = log.lastFailed(connection.name);
    if (check !== undefined && !failedAfterCheck(failed, check.at, check.steps)) {
      const { at, ok, steps, model, clientStyle } = check;
      return { subject: { kind: "check", at, ok, steps }, model, clientStyle };
    }
    const logged = failed ?? log.last(connection.name);
    if (logged === undefined) return now;
    return {
      subject: { kind: "call", call: logged.record },
      model: logged.model,
      clientStyle: logged.clientStyle,
    };
  }
}

/** Whether the request failed after the check ended. */
function failedAfterCheck(
  logged: LoggedCall | undefined,
  at: string,
  steps: readonly { readonly ms: number }[],
): boolean {
  const end = Date.parse(at) + steps.reduce((sum, { ms }) => sum + ms, 0);
  return logged !== undefined && logged.record.at.getTime() > end;
}
