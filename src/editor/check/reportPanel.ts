import * as vscode from "vscode";
import type { Report } from "../../connection/report/report.ts";
import { readFromReportPage, type ReportMessage } from "../../connection/report/reportMessages.ts";
import { reportError } from "../shared/notices.ts";
import { pageDocument } from "../page/pageDocument.ts";

const viewType = "inference.report";

/** What a page of results tells whoever shows it. */
export interface ReportListener {
  /** A button of the report, or of a diagnosis in it, was pressed. */
  readonly onAction: (id: string) => unknown;
  /** The page was closed by the user. */
  readonly onClose?: () => void;
}

/** Pages of results in the editor area, one a key such as `check:Acme`. They are not restored on reload. */
export class ReportPanels implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #panels = new Map<string, ReportPanel>();

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  /** Opens the page of this key, or brings it to the front, and gives it the focus. */
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

  /** Draws the page anew where it stands; nothing where it was closed. */
  update(key: string, report: Report): void {
    this.#panels.get(key)?.update(report);
  }

  /** Whether the page stands, and its buttons still go to this listener. */
  isOf(key: string, listener: ReportListener): boolean {
    return this.#panels.get(key)?.listener === listener;
  }

  /** Brings a page to the front; false where it was closed. */
  reveal(key: string): boolean {
    const panel = this.#panels.get(key);
    panel?.reveal();
    return panel !== undefined;
  }

  /** Whether the user can see the page. */
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
  /** Whether the page has asked for the report; before that nothing is posted. */
  #ready = false;
  /** As it will be when the editor has done what it was told. */
  #visible = true;

  constructor(extensionUri: vscode.Uri, report: Report, listener: ReportListener, onGone: () => void) {
    this.#report = report;
    this.listener = listener;
    this.#panel = vscode.window.createWebviewPanel(viewType, report.title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist", "webview")],
    });
    const { webview } = this.#panel;
    this.#subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      // The editor throws a hidden page away; shown again it begins anew and asks again.
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
    // Revealed once more, the page would lose the place of its focus.
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

/** The page is not taken at its word: only what it was given can be pressed. */
function offers({ actions, blocks }: Report, id: string): boolean {
  const offered = blocks.flatMap((block) => (block.kind === "diagnosis" ? block.diagnosis.actions : []));
  return [...actions, ...offered].some((action) => action.id === id);
}

/** The frame of a page of results; what stands on it is posted to it. */
function reportPageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, title: string): string {
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
