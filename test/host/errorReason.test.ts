import assert from "node:assert/strict";
import { setImmediate as nextTask } from "node:timers/promises";
import * as vscode from "vscode";
import { reportError } from "../../src/editor/shared/notices.ts";

describe("work that is left to itself", () => {
  const { showErrorMessage } = vscode.window;
  const told: string[] = [];

  beforeEach(() => {
    told.length = 0;
    Object.assign(vscode.window, { showErrorMessage: async (message: string) => void told.push(message) });
  });
  afterEach(() => Object.assign(vscode.window, { showErrorMessage }));

  it("says why it failed, and nothing where it was done or cancelled", async () => {
    reportError(Promise.resolve());
    reportError(Promise.reject(new vscode.CancellationError()));
    reportError(Promise.reject(new Error("The settings are none.")));
    await nextTask();
    assert.deepEqual(told, ["Inference Chat: The settings are none."]);
  });
});
