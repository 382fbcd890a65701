import assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  type FromReportPage,
  readReportMessage,
  type ShownReport,
} from "../../src/connection/report/reportMessages.ts";

type Cell = Extract<ShownReport["blocks"][number], { kind: "table" }>["rows"][number][number];

/** Replaces the result pages: records the reports that they receive, and presses their buttons. */
export class ShownReports {
  readonly #own = vscode.window.createWebviewPanel;
  readonly #panels: ToldPanel[] = [];

  constructor() {
    const create: typeof vscode.window.createWebviewPanel = (viewType, title, ...rest) => {
      if (viewType !== "inference.report") return this.#own(viewType, title, ...rest);
      const panel = new ToldPanel(viewType, title);
      this.#panels.push(panel);
      return panel;
    };
    Object.assign(vscode.window, { createWebviewPanel: create });
  }

  /** The open page with this title. */
  page(title: string): ToldPanel {
    return (
      this.#panels.findLast((panel) => panel.title === title && !panel.isClosed) ??
      assert.fail(`There is no page ${title}.`)
    );
  }

  dispose(): void {
    Object.assign(vscode.window, { createWebviewPanel: this.#own });
    for (const panel of this.#panels) panel.dispose();
  }
}

/** The cells of the table row with this name, without the cell of the name. */
export function rowOf({ blocks }: ShownReport, name: string): readonly Cell[] {
  const rows = blocks.flatMap((block) => (block.kind === "table" ? block.rows : []));
  const row = rows.find(([first]) => first?.text === name) ?? assert.fail(`There is no row ${name}.`);
  return row.slice(1);
}

/** The cause in a report's diagnosis; undefined if there is none. */
export function causeOf({ blocks }: ShownReport): string | undefined {
  return blocks.find((block) => block.kind === "diagnosis")?.diagnosis.cause;
}

/** A result page as its reader sees it. */
class ToldPanel implements vscode.WebviewPanel {
  readonly viewType: string;
  title: string;
  readonly options: vscode.WebviewPanelOptions = {};
  readonly viewColumn = vscode.ViewColumn.One;
  active = true;
  visible = true;
  isClosed = false;
  readonly #said = new vscode.EventEmitter<FromReportPage>();
  readonly #told = new vscode.EventEmitter<ShownReport>();
  readonly #viewed = new vscode.EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  readonly #closed = new vscode.EventEmitter<void>();
  readonly onDidChangeViewState = this.#viewed.event;
  readonly onDidDispose = this.#closed.event;
  readonly webview: vscode.Webview;
  #report: ShownReport | undefined;

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    this.webview = this.#createWebview();
  }

  /** The last report that the page received. */
  get report(): ShownReport {
    return this.#report ?? assert.fail(`${this.title} was told nothing.`);
  }

  /** Resolves with the first matching report, including the current one. */
  async until(isMeant: (report: ShownReport) => boolean): Promise<ShownReport> {
    return this.#report !== undefined && isMeant(this.#report) ? this.#report : this.next(isMeant);
  }

  /** Resolves with the next matching report. */
  next(isMeant: (report: ShownReport) => boolean): Promise<ShownReport> {
    return new Promise((resolve) => {
      const subscription = this.#told.event((report) => {
        if (!isMeant(report)) return;
        subscription.dispose();
        resolve(report);
      });
    });
  }

  /** Presses a button by its ID. */
  press(id: string): void {
    const { actions, blocks } = this.report;
    const offered = blocks.flatMap((block) => (block.kind === "diagnosis" ? block.diagnosis.actions : []));
    const isOffered = [...actions, ...offered].some((action) => action.id === id);
    assert.ok(isOffered, `${id} is not offered.`);
    this.#said.fire({ type: "action", id });
  }

  /** Presses a button; resolves with the next matching report. */
  async pressUntil(id: string, isMeant: (report: ShownReport) => boolean): Promise<ShownReport> {
    const next = this.next(isMeant);
    this.press(id);
    return next;
  }

  /** Acts as if the reader switched to another tab. */
  hide(): void {
    this.active = false;
    this.visible = false;
    this.#viewed.fire({ webviewPanel: this });
  }

  reveal(): void {
    const wasVisible = this.visible;
    this.active = true;
    this.visible = true;
    this.#viewed.fire({ webviewPanel: this });
    // VS Code discards a hidden page, so the page starts again.
    if (!wasVisible) this.#said.fire({ type: "ready" });
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#closed.fire();
    for (const each of [this.#said, this.#told, this.#viewed, this.#closed]) each.dispose();
  }

  #createWebview(): vscode.Webview {
    const say = this.#said;
    return {
      options: {},
      cspSource: "",
      onDidReceiveMessage: this.#said.event,
      asWebviewUri: (uri) => uri,
      get html() {
        return "";
      },
      set html(_text) {
        queueMicrotask(() => say.fire({ type: "ready" }));
      },
      postMessage: async (message) => {
        const read = readReportMessage(message) ?? assert.fail("The page cannot read what it is told.");
        this.#report = read.report;
        this.#told.fire(read.report);
        return true;
      },
    };
  }
}
