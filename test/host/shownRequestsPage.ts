import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { RequestRecord } from "../../src/chat/requests/requestRecord.ts";
import {
  type FromRequestsPage,
  readToRequestsPage,
  type ShownRequests,
  withAdded,
} from "../../src/chat/requests/requestTable.ts";
import { commandIds } from "../../src/contributions.ts";

/** The page of requests as its reader sees it, opened by the command. */
export class ShownRequestsPage implements vscode.Disposable {
  readonly #said = new vscode.EventEmitter<FromRequestsPage>();
  readonly #told = new vscode.EventEmitter<ShownRequests>();
  readonly #closed = new vscode.EventEmitter<void>();
  #requests: ShownRequests | undefined;
  /** Times that the whole list was posted. */
  loads = 0;

  /** Resolves when the page shows the requests of the files. */
  static async open(): Promise<ShownRequestsPage> {
    const page = new ShownRequestsPage();
    const { createWebviewPanel } = vscode.window;
    Object.assign(vscode.window, { createWebviewPanel: () => page.#panel() });
    try {
      await vscode.commands.executeCommand(commandIds.showRequests);
    } finally {
      Object.assign(vscode.window, { createWebviewPanel });
    }
    await page.until(({ state }) => state === "ready");
    return page;
  }

  get requests(): ShownRequests {
    return this.#requests ?? assert.fail("The page was told nothing.");
  }

  /** The requests of a connection, oldest first. */
  of(connection: string): readonly RequestRecord[] {
    return this.requests.records.filter((record) => record.connection === connection).toReversed();
  }

  /** Resolves when the shown requests match. */
  async until(isMeant: (requests: ShownRequests) => boolean): Promise<void> {
    if (this.#requests !== undefined && isMeant(this.#requests)) return;
    await new Promise<void>((resolve) => {
      const subscription = this.#told.event((requests) => {
        if (!isMeant(requests)) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  /** Resolves when this many requests of a connection are shown. */
  async untilCount(connection: string, count: number): Promise<readonly RequestRecord[]> {
    await this.until(() => this.of(connection).length >= count);
    return this.of(connection);
  }

  say(message: FromRequestsPage): void {
    this.#said.fire(message);
  }

  /** Presses a button; resolves when the list has been read again. */
  async press(id: "refresh" | "clear"): Promise<void> {
    const { loads } = this;
    this.say({ type: "action", id });
    await this.until(() => this.loads > loads);
  }

  dispose(): void {
    this.#closed.fire();
    for (const each of [this.#said, this.#told, this.#closed]) each.dispose();
  }

  #panel() {
    const [said, hear] = [this.#said, (message: unknown): void => this.#hear(message)];
    const nothing = new vscode.EventEmitter<never>();
    return {
      active: true,
      visible: true,
      onDidDispose: this.#closed.event,
      onDidChangeViewState: nothing.event,
      reveal: () => undefined,
      dispose: () => undefined,
      webview: {
        cspSource: "",
        onDidReceiveMessage: said.event,
        asWebviewUri: (uri: vscode.Uri) => uri,
        set html(_text: string) {
          queueMicrotask(() => said.fire({ type: "ready" }));
        },
        postMessage: async (message: unknown) => hear(message),
      },
    };
  }

  #hear(message: unknown): void {
    const read = readToRequestsPage(message) ?? assert.fail("The page can't read what it is told.");
    if (read.type === "requests") this.loads += 1;
    this.#requests = read.type === "requests" ? read.requests : withAdded(this.requests, read.added);
    this.#told.fire(this.#requests);
  }
}
