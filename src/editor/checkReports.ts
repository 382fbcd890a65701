import * as vscode from "vscode";
import type { CheckResult, CheckStep } from "../connection/connectionCheck.ts";

const scheme = "inference-check";

/** The last check of each connection as a page of text in the editor: time, status, request ID a step. */
export class CheckReports implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? "",
    });
  }

  add(result: CheckResult): void {
    const uri = uriOf(result);
    this.#texts.set(uri.path, formatCheck(result));
    this.#changed.fire(uri);
  }

  async show(result: CheckResult): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uriOf(result));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function uriOf(result: CheckResult): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${vscode.l10n.t("Connection Check")} - ${result.connection}` });
}

function formatCheck(result: CheckResult): string {
  const t = vscode.l10n.t;
  const { steps } = result;
  return [
    t("Connection check of {0}", result.connection),
    "",
    ...columns([
      [t("Time"), result.at],
      [t("Client style"), result.clientStyle],
      [t("Model"), result.model],
      [t("Result"), result.ok ? t("passed") : t("not passed")],
    ]),
    "",
    ...columns([
      [t("step"), t("result"), t("time"), t("status"), t("request ID")],
      ...steps.map(convertStep),
    ]),
    "",
    ...steps.flatMap(({ id, detail }) => (detail === undefined ? [] : [`${id}: ${detail}`])),
    "",
    t("A passed check does not prove that tool use works."),
    "",
  ].join("\n");
}

function convertStep(step: CheckStep): readonly string[] {
  if (step.skipped === true) return [step.id, vscode.l10n.t("skipped"), "-", "-", "-"];
  const outcome = step.ok ? vscode.l10n.t("ok") : (step.cause ?? "-");
  const status = String(step.status ?? "-");
  return [step.id, outcome, `${Math.round(step.ms)} ms`, status, step.requestId ?? "-"];
}

/** Lines whose cells stand under each other, whatever language they are in. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (column: number): number => Math.max(...rows.map((cells) => cells[column]?.length ?? 0));
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widthOf(column) + 3))
      .join("")
      .trimEnd(),
  );
}
