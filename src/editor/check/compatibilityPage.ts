import * as vscode from "vscode";
import type {
  CompatibilityFacts,
  SeenOfStyle,
  VerificationState,
} from "../../connection/compatibility/compatibilityReport.ts";
import type { Report } from "../../connection/report/report.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { type FailureOwner, runDiagnosisAction } from "../failures/failureNotice.ts";
import { offerUndo } from "../shared/offerUndo.ts";
import type { ReportListener, ReportPanels } from "./reportPanel.ts";
import {
  compatibilityReport,
  compatibilityActions,
  compatibilityJson,
} from "../../connection/compatibility/compatibilityReport.ts";
import { reportMarkdown } from "../../connection/report/report.ts";

export interface CompatibilityPageOptions {
  readonly pages: ReportPanels;
  readonly connections: FailureOwner["connections"];
  readonly connection: string;
  readonly base: string;
  readonly model: string;
  readonly seen: (clientStyle: ClientStyle) => SeenOfStyle;
  readonly onVerifyAgain: () => Promise<void>;
  /** The result takes it back. */
  readonly onForget: () => () => void;
}

/** The table of both client styles for one connection and model, as a page that is drawn anew. */
export class CompatibilityPage {
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

  /** The same once more, also where it was closed. */
  async reveal(): Promise<void> {
    await this.show(this.#run);
  }

  /** Draws the page anew, where it is open. */
  async update(run?: VerificationState): Promise<void> {
    this.#run = run;
    const report = await this.#report();
    // A later state may have been drawn while this one was made.
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
    offerUndo(vscode.l10n.t("What was seen of {0} was forgotten.", this.#options.model), async () => {
      restore();
      // Another model, or another run, may be shown on it by now.
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
