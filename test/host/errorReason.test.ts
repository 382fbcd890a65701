import assert from "node:assert/strict";
import { setImmediate as nextTask } from "node:timers/promises";
import * as vscode from "vscode";
import { reportError } from "../../src/editor/shared/notices.ts";

describe("work in the background", () => {
  const { showErrorMessage } = vscode.window;
  const told: string[] = [];

  beforeEach(() => {
    told.length = 0;
    Object.assign(vscode.window, { showErrorMessage: async (message: string) => void told.push(message) });
  });
  afterEach(() => Object.assign(vscode.window, { showErrorMessage }));

  it("reports why it failed, and nothing if it succeeded or was canceled", async () => {
    reportError(Promise.resolve());
    reportError(Promise.reject(new vscode.CancellationError()));
    reportError(Promise.reject(new Error("The settings are invalid.")));
    await nextTask();
    assert.deepEqual(told, ["Inference Chat: The settings are invalid."]);
  });
});
