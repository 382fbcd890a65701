import * as v from "valibot";
import type * as vscode from "vscode";
import { contextKeys } from "../../contributions.ts";
import { setContext } from "../shared/registration.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import { StoredKeyNames } from "../key/storedKeys.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { State } from "../workspace/state.ts";

const stateKey = "inference.gettingStarted";
const stateSchema = v.array(v.string());

type Step = "hasConnection" | "hasKey" | "checkPassed" | "hasChatted";

export interface GettingStartedOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  /** State that all windows of this computer share. */
  readonly state: State;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Tells VS Code which steps of the walkthrough are really done, in any order. A completed step is stored and stays
 * completed.
 */
export class GettingStarted implements vscode.Disposable {
  readonly #options: GettingStartedOptions;
  readonly #completed = new Set<Step>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(options: GettingStartedOptions) {
    this.#options = options;
    const { connections, keys } = options;
    this.#subscriptions = [
      connections.onDidChange(() => this.#check()),
      keys.onDidChange((name) => {
        this.#checkForKey(name).catch(() => undefined);
      }),
    ];
    for (const step of this.#written()) this.#complete(step);
    this.#check();
  }

  /** Marks a step as done. Does nothing if it already was. */
  done(step: Step): void {
    if (this.#completed.has(step)) return;
    this.#complete(step);
    // Another window may have completed other steps since.
    const steps = [...new Set([...this.#written(), step])];
    this.#options.state.update(stateKey, steps).then(undefined, () => undefined);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Does not read secret storage or other slow sources. */
  #check(): void {
    const { connections, state, environment } = this.#options;
    if (connections.all.length > 0) this.done("hasConnection");
    if (this.#completed.has("hasKey")) return;
    const stored = new StoredKeyNames(state).all;
    const hasKey = connections.all.some(({ name, keyVariable }) =>
      keyVariable === undefined ? stored.includes(name) : (environment[keyVariable] ?? "") !== "",
    );
    if (hasKey) this.done("hasKey");
  }

  async #checkForKey(connectionName: string): Promise<void> {
    if (!this.#completed.has("hasKey") && (await this.#options.keys.has(connectionName))) this.done("hasKey");
  }

  #complete(step: Step): void {
    this.#completed.add(step);
    setContext(contextKeys[step], true);
  }

  #written(): readonly Step[] {
    const parsed = v.safeParse(stateSchema, this.#options.state.get(stateKey));
    const names = parsed.success ? parsed.output : [];
    return steps.filter((step) => names.includes(step));
  }
}

const steps = ["hasConnection", "hasKey", "checkPassed", "hasChatted"] satisfies readonly Step[];
