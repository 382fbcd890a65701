import * as vscode from "vscode";
import { commandIds, contextKeys } from "../contributions.ts";
import type { ChatAnswererOptions } from "./chat/chatAnswerer.ts";
import type { CheckConsents } from "./checkConsents.ts";
import type { CheckRuns } from "./checkRuns.ts";
import type { CommandTable } from "./commands/commandTable.ts";
import type { CommitMessages } from "./commit/commitMessages.ts";
import type { ConnectionEditing } from "./connectionEditing.ts";
import type { ConnectLinks } from "./connectLinks.ts";
import type { InferenceApi, InferenceExports } from "./extensionApi.ts";
import type { ExtensionCallsOptions } from "./extensionCalls.ts";
import type { ModelCatalog } from "./modelCatalog.ts";
import type { SearchedKeys } from "./searchedKeys.ts";

export interface HomeOptions extends Omit<ChatAnswererOptions, "onAnswered"> {
  readonly catalog: ModelCatalog;
  readonly consents: CheckConsents;
  readonly editing: ConnectionEditing;
  readonly runs: CheckRuns;
  readonly searchedKeys: SearchedKeys;
  /** What all windows of this computer share. */
  readonly state: vscode.Memento;
  readonly extensionId: string;
}

/** What is at home in other parts of the editor: the status bar's menu and the box of commit messages. */
export function homeCommands(options: HomeOptions): CommandTable {
  let commitMessages: Promise<CommitMessages> | undefined;
  const loadCommitMessages = (): Promise<CommitMessages> => {
    commitMessages ??= import("./commit/commitMessages.ts").then(
      (module) => new module.CommitMessages({ ...options, onRunning: tellRunning }),
    );
    return commitMessages;
  };
  return {
    [commandIds.showMenu]: async () => (await import("./statusMenu.ts")).showStatusMenu(options),
    [commandIds.generateCommitMessage]: async (pressed) => (await loadCommitMessages()).generate(pressed),
    [commandIds.stopCommitMessage]: async (pressed) => (await loadCommitMessages()).stop(pressed),
  };
}

/** Takes links that propose a connection. */
export function registerConnectLinks(options: HomeOptions): vscode.Disposable {
  let links: Promise<ConnectLinks> | undefined;
  return vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      links ??= import("./connectLinks.ts").then((module) => new module.ConnectLinks(options));
      await (await links).open(uri);
    },
  });
}

/** What other extensions get; loaded with their first call. */
export class ExtensionExports implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly exports: InferenceExports;

  constructor(options: ExtensionCallsOptions) {
    const fire = (): void => this.#changed.fire();
    this.#subscriptions = [options.catalog.onDidChange(fire), options.connections.onDidChange(fire)];
    const api: InferenceApi = Object.freeze({
      version: 1,
      checkConnection: async (argument?: unknown) =>
        (await import("./extensionCalls.ts")).checkForExtension(options, argument),
      listModels: async (argument?: unknown) =>
        (await import("./extensionCalls.ts")).listForExtension(options, argument),
      onDidChangeModels: this.#changed.event,
    });
    this.exports = Object.freeze({
      getAPI: (version: unknown) => {
        if (version === 1) return api;
        throw new Error(vscode.l10n.t("Inference Chat offers version 1 of its interface only."));
      },
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }
}

/** A list that is empty would still count as set. */
function tellRunning(roots: readonly string[]): void {
  const value = roots.length === 0 ? undefined : roots;
  vscode.commands
    .executeCommand("setContext", contextKeys.commitMessagesRunning, value)
    .then(undefined, () => undefined);
}
