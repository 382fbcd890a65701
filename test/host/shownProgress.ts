import assert from "node:assert/strict";
import * as vscode from "vscode";

/** Replaces progress notices, and cancels them as a user does. */
export class ShownProgress {
  readonly #own = vscode.window.withProgress;
  readonly #running = new Map<string, vscode.CancellationTokenSource>();

  constructor() {
    const show: typeof vscode.window.withProgress = async ({ title = "" }, work) => {
      const source = new vscode.CancellationTokenSource();
      this.#running.set(title, source);
      try {
        return await work({ report: () => undefined }, source.token);
      } finally {
        this.#running.delete(title);
      }
    };
    Object.assign(vscode.window, { withProgress: show });
  }

  cancel(title: string): void {
    const source = this.#running.get(title) ?? assert.fail(`${title} is not going on.`);
    source.cancel();
  }

  dispose(): void {
    Object.assign(vscode.window, { withProgress: this.#own });
  }
}
