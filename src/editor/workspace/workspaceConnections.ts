import * as vscode from "vscode";
import type { Connection, ConnectionList, ConnectionProblem } from "../../connection/setup/connection.ts";
import { settingKeys, settingSection } from "../../contributions.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ConnectionWorkspaces, KnownWorkspace, WorkspaceBinding } from "./workspaceBinding.ts";
import { readConnectionSetting, readModelSetting } from "./settings.ts";

/** The model named by the specification (section 1), where nobody chose another. */
export const fallbackModel = "service-core";

/** The connections there are, and what this workspace uses of them. */
export class WorkspaceConnections implements vscode.Disposable {
  readonly #binding: WorkspaceBinding;
  readonly #workspaces: ConnectionWorkspaces;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #moved = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  /** Read when it is first asked for, which takes as long as all other registration does. */
  #list: ConnectionList | undefined;
  /** Whose settings hold: of several folders that of the file which was in front last. */
  #folder = folderInFront() ?? vscode.workspace.workspaceFolders?.[0]?.uri;

  /** Fires after settings or the workspace's choice changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires with the name of a connection that leads to another address or takes its key from elsewhere. */
  readonly onDidMove = this.#moved.event;

  constructor(binding: WorkspaceBinding, workspaces: ConnectionWorkspaces) {
    this.#binding = binding;
    this.#workspaces = workspaces;
    const configuration = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(settingSection)) return;
      if (event.affectsConfiguration(`${settingSection}.${settingKeys.connections}`)) {
        const before = this.all;
        this.#list = readConnectionSetting();
        for (const name of movedNames(before, this.all)) this.#moved.fire(name);
      }
      this.#changed.fire();
    });
    const editor = vscode.window.onDidChangeActiveTextEditor(() => this.#followEditor());
    this.#subscription = vscode.Disposable.from(configuration, editor);
  }

  #followEditor(): void {
    const folder = folderInFront();
    if (folder === undefined || folder.toString() === this.#folder?.toString()) return;
    const before = readModelSetting(this.#folder);
    this.#folder = folder;
    if (readModelSetting(this.#folder) !== before) this.#changed.fire();
  }

  get all(): readonly Connection[] {
    return (this.#list ??= readConnectionSetting()).connections;
  }

  get problems(): readonly ConnectionProblem[] {
    return (this.#list ??= readConnectionSetting()).problems;
  }

  /** The one this workspace is bound to; without a choice the only one there is, else none. */
  get current(): Connection | undefined {
    const name = this.#binding.connectionName;
    if (name !== undefined) return this.named(name) ?? this.#renamed();
    return this.all.length === 1 ? this.all[0] : undefined;
  }

  /** What another window has given another name. */
  #renamed(): Connection | undefined {
    const here = thisWorkspace()?.uri;
    return this.all.find(({ name }) => this.workspacesOf(name).some(({ uri }) => uri === here));
  }

  named(name: string): Connection | undefined {
    return this.all.find((connection) => connection.name === name);
  }

  /** Workspace state, then the team's setting for the folder in front, then the connection's, then the specification's. */
  modelFor(connection: Connection): string {
    const chosen = this.#binding.modelFor(connection.name) ?? readModelSetting(this.#folder);
    return chosen ?? connection.model ?? fallbackModel;
  }

  /** The model in use, the configured one and the recent ones, for a service that gives no list. */
  usedModels(connection: Connection): readonly string[] {
    const recent = this.#binding.recentModels(connection.name);
    const configured = [this.modelFor(connection), connection.model];
    return [...new Set([...configured, ...recent].filter((model) => model !== undefined))];
  }

  clientStyleFor(connection: Connection): ClientStyle {
    return this.#binding.clientStyleFor(connection.name) ?? connection.clientStyle;
  }

  /** Workspaces of this computer that were bound to a connection, the newest first. */
  workspacesOf(connectionName: string): readonly KnownWorkspace[] {
    return this.#workspaces.of(connectionName);
  }

  /**
   * The current one, which the workspace stays with from now on: where it used the only one there was, another that
   * takes its place later is another client's.
   */
  async bindCurrent(): Promise<Connection | undefined> {
    const { current } = this;
    const name = this.#binding.connectionName;
    if (current === undefined || name === current.name) return current;
    if (name !== undefined) await this.#binding.rename(name, current.name);
    await this.use(current);
    return current;
  }

  async use(connection: Pick<Connection, "name">): Promise<void> {
    await this.#binding.bind(connection.name);
    const workspace = thisWorkspace();
    if (workspace !== undefined) await this.#workspaces.bind(connection.name, workspace);
    this.#changed.fire();
  }

  async chooseModel(connection: Connection, model: string, from: "list" | "typed"): Promise<void> {
    await this.#binding.chooseModel(connection.name, model, from);
    this.#changed.fire();
  }

  /** With undefined, what stands in the settings holds again. */
  async chooseClientStyle(connection: Connection, clientStyle: ClientStyle | undefined): Promise<void> {
    await this.#binding.chooseClientStyle(connection.name, clientStyle);
    this.#changed.fire();
  }

  async renamed(from: string, to: string): Promise<void> {
    await this.#binding.rename(from, to);
    await this.#workspaces.rename(from, to);
    this.#changed.fire();
  }

  /**
   * A workspace that used it stays bound to the name, and so has to choose, even of a single one left. The
   * result brings back what was chosen for it.
   */
  async removed(name: string): Promise<() => Promise<void>> {
    const restores = [await this.#binding.forget(name), await this.#workspaces.forget(name)];
    this.#changed.fire();
    return async () => {
      for (const restore of restores) await restore();
      this.#changed.fire();
    };
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#moved.dispose();
  }
}

function folderInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri)?.uri;
}

function movedNames(before: readonly Connection[], after: readonly Connection[]): readonly string[] {
  return after
    .filter((connection) => {
      const old = before.find(({ name }) => name === connection.name);
      return old !== undefined && placeOf(old) !== placeOf(connection);
    })
    .map(({ name }) => name);
}

/** Where a connection leads and where its key comes from, to compare. */
function placeOf({ address, keyVariable }: Connection): string {
  return JSON.stringify([address.kind === "address" ? address.address.base : "", keyVariable]);
}

/** The folder or workspace file that is open; undefined in an empty window. */
export function thisWorkspace(): KnownWorkspace | undefined {
  const { workspaceFile, workspaceFolders, name } = vscode.workspace;
  const uri =
    workspaceFile?.scheme === "untitled" ? undefined : (workspaceFile ?? workspaceFolders?.[0]?.uri);
  return uri && { name: name ?? "", uri: uri.toString() };
}
