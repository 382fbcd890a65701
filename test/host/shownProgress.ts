import assert from "node:assert/strict";
import * as vscode from "vscode";

/** Replaces progress notices, and cancels them as a user does. */
export class ShownProgress {
  readonly #own = vscode.window.withProgress;
  readonly #running = new Map<string, vscode.CancellationTokenSource>();
  readonly #shown = new vscode.EventEmitter<string>();

  constructor() {
    const show: typeof vscode.window.withProgress = async ({ title = "" }, work) => {
      const source = new vscode.CancellationTokenSource();
      this.#running.set(title, source);
      this.#shown.fire(title);
      try {
        return await work({ report: () => undefined }, source.token);
      } finally {
        this.#running.delete(title);
      }
    };
    Object.assign(vscode.window, { withProgress: show });
  }

  /** Resolves once the notice is shown. */
  until(title: string): Promise<void> {
    return new Promise((resolve) => {
      this.#shown.event((shown) => {
        if (shown === title) resolve();
      });
    });
  }

  cancel(title: string): void {
    const source = this.#running.get(title) ?? assert.fail(`${title} is not going on.`);
    source.cancel();
  }

  dispose(): void {
    Object.assign(vscode.window, { withProgress: this.#own });
  }
}
