import * as vscode from "vscode";
import type { Report } from "../../connection/report/report.ts";
import { readFromReportPage, type ReportMessage } from "../../connection/report/reportMessages.ts";
import { reportError } from "../shared/notices.ts";
import { pageDocument } from "../page/pageDocument.ts";

/** Type of the editor tabs with a page of results. */
export const reportViewType = "inference.report";

/** Callbacks of a report page. */
export interface ReportListener {
  /** Called when a button of the report, or of a diagnosis in it, is pressed. */
  readonly onAction: (id: string) => unknown;
  /** Called when the page is closed. */
  readonly onClose?: () => void;
}

/** Report pages in the editor area, one per key such as `check:Acme`. They are not restored after a window reload. */
export class ReportPanels implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #panels = new Map<string, ReportPanel>();

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  /** Opens the page with this key, or brings it to the front. Focuses the page. */
  show(key: string, report: Report, listener: ReportListener): void {
    const shown = this.#panels.get(key);
    if (shown !== undefined) {
      shown.update(report, listener);
      shown.reveal();
      return;
    }
    const panel = new ReportPanel(this.#extensionUri, report, listener, () => this.#panels.delete(key));
    this.#panels.set(key, panel);
  }

  /** Updates the page if it is open. */
  update(key: string, report: Report): void {
    this.#panels.get(key)?.update(report);
  }

  /** Whether the page is open and its buttons call this listener. */
  isOf(key: string, listener: ReportListener): boolean {
    return this.#panels.get(key)?.listener === listener;
  }

  /** Brings a page to the front. Returns false if the page was closed. */
  reveal(key: string): boolean {
    const panel = this.#panels.get(key);
    panel?.reveal();
    return panel !== undefined;
  }

  isVisible(key: string): boolean {
    return this.#panels.get(key)?.visible === true;
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }
}

class ReportPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #subscriptions: vscode.Disposable;
  #report: Report;
  listener: ReportListener;
  /** Whether the page has asked for the report. Nothing is posted earlier. */
  #ready = false;
  /** The expected visibility. VS Code reports the actual visibility later. */
  #visible = true;

  constructor(extensionUri: vscode.Uri, report: Report, listener: ReportListener, onGone: () => void) {
    this.#report = report;
    this.listener = listener;
    this.#panel = vscode.window.createWebviewPanel(reportViewType, report.title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist", "webview")],
    });
    const { webview } = this.#panel;
    this.#subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      // VS Code discards a hidden page. When shown again, the page reloads and asks for the report again.
      this.#panel.onDidChangeViewState(() => {
        this.#visible = this.#panel.visible;
        if (!this.#visible) this.#ready = false;
      }),
    );
    this.#panel.onDidDispose(() => {
      this.#subscriptions.dispose();
      onGone();
      this.listener.onClose?.();
    });
    webview.html = reportPageHtml(webview, extensionUri, report.title);
  }

  get visible(): boolean {
    return this.#visible;
  }

  update(report: Report, listener: ReportListener = this.listener): void {
    this.#report = report;
    this.listener = listener;
    this.#panel.title = report.title;
    this.#post();
  }

  reveal(): void {
    // Revealing an active page would lose its focus position.
    if (!this.#panel.active) this.#panel.reveal();
    this.#visible = true;
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #receive(message: unknown): void {
    const read = readFromReportPage(message);
    if (read === undefined) return;
    switch (read.type) {
      case "ready":
        this.#ready = true;
        this.#post();
        return;
      case "action":
        if (offers(this.#report, read.id)) reportError(this.#act(read.id));
    }
  }

  async #act(id: string): Promise<void> {
    await this.listener.onAction(id);
  }

  #post(): void {
    if (!this.#ready) return;
    const message: ReportMessage = {
      type: "report",
      report: this.#report,
      translations: vscode.l10n.bundle ?? {},
    };
    this.#panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}

/** The page is not trusted. Only actions of its report can be run. */
function offers({ actions, blocks }: Report, id: string): boolean {
  const offered = blocks.flatMap((block) => (block.kind === "diagnosis" ? block.diagnosis.actions : []));
  return [...actions, ...offered].some((action) => action.id === id);
}

/** Returns the HTML of an empty page of results. Its content is posted to it later. */
export function reportPageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, title: string): string {
  return pageDocument(
    {
      language: vscode.env.language,
      title,
      source: webview.cspSource,
      script: "report.js",
      styles: ["chat.css", "report.css"],
      bodyClass: "report-body",
    },
    (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString(),
  );
}
