import assert from "node:assert/strict";
import * as vscode from "vscode";
import { showError, showInformation, showProgress, showWarning } from "../../src/editor/shared/notices.ts";

describe("notices", () => {
  const { showInformationMessage, showWarningMessage, showErrorMessage, withProgress } = vscode.window;
  const shown: unknown[][] = [];
  const show = async (...values: unknown[]): Promise<void> => void shown.push(values);

  beforeEach(() => {
    shown.length = 0;
    Object.assign(vscode.window, {
      showInformationMessage: show,
      showWarningMessage: show,
      showErrorMessage: show,
      withProgress: (options: vscode.ProgressOptions, work: Parameters<typeof showProgress>[1]) => {
        shown.push([options.title]);
        return work(
          { report: ({ message }) => shown.push([message]) },
          new vscode.CancellationTokenSource().token,
        );
      },
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, {
      showInformationMessage,
      showWarningMessage,
      showErrorMessage,
      withProgress,
    });
  });

  const name = "[Continue](command:workbench.action.quit)";
  const harmless = "[Continue] (command:workbench.action.quit)";

  it("contain no link, whatever name a model, a file or a service has", async () => {
    await showInformation(name);
    await showWarning(name, "Button", name);
    await showError(name, { modal: true }, "Button");
    await showProgress({ location: vscode.ProgressLocation.Notification, title: name }, async (progress) =>
      progress.report({ message: name }),
    );
    assert.deepEqual(shown, [
      [harmless, {}],
      [harmless, {}, "Button", name],
      [harmless, { modal: true }, "Button"],
      [harmless],
      [harmless],
    ]);
  });
});
