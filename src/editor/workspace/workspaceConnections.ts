import * as vscode from "vscode";
import type { Connection, ConnectionList, ConnectionProblem } from "../../connection/setup/connection.ts";
import { settingKeys, settingSection } from "../../contributions.ts";
import type { AnswerTurn, ChatSelection } from "../../chat/transcript/transcript.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ConnectionWorkspaces, KnownWorkspace, WorkspaceBinding } from "./workspaceBinding.ts";
import { readConnectionSetting, readModelSetting } from "./settings.ts";

/** The specification's model (section 1), used if no other model was chosen. */
export const fallbackModel = "service-core";

/** All connections, and the choices of this workspace among them. */
export class WorkspaceConnections implements vscode.Disposable {
  readonly #binding: WorkspaceBinding;
  readonly #workspaces: ConnectionWorkspaces;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #moved = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  /** Read on first use, because reading takes as long as all other registration. */
  #list: ConnectionList | undefined;
  /** The folder whose settings apply. If there are several folders, the folder of the last active file. */
  #folder = folderInFront() ?? vscode.workspace.workspaceFolders?.[0]?.uri;

  /** Fires after settings or the workspace's choices have changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires with the name of a connection whose base URL, key variable or headers have changed. */
  readonly onDidMove = this.#moved.event;

  constructor(binding: WorkspaceBinding, workspaces: ConnectionWorkspaces) {
    this.#binding = binding;
    this.#workspaces = workspaces;
    binding.follow(workspaces);
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

  /** The connection that this workspace is bound to. Without a choice, the only connection there is, or undefined. */
  get current(): Connection | undefined {
    const name = this.#binding.connectionName;
    if (name !== undefined) return this.named(name) ?? this.#renamed();
    return this.all.length === 1 ? this.all[0] : undefined;
  }

  /** The workspace's connection after another window has renamed it. */
  #renamed(): Connection | undefined {
    const here = thisWorkspace()?.uri;
    return this.all.find(({ name }) => this.workspacesOf(name).some(({ uri }) => uri === here));
  }

  named(name: string): Connection | undefined {
    return this.all.find((connection) => connection.name === name);
  }

  /** The connection of this name, or the connection that had this name before it was renamed. */
  namedOrRenamed(name: string): Connection | undefined {
    const newName = this.#workspaces.newNameOf(name);
    return this.named(name) ?? (newName === undefined ? undefined : this.named(newName));
  }

  /**
   * The name that the connection of an answer has now, even if there is no such connection. Undefined if another
   * connection has taken its name since.
   */
  currentNameOf({ connection, at }: Pick<AnswerTurn, "connection" | "at">): string | undefined {
    if (this.#workspaces.isTakenSince(connection, Date.parse(at))) return undefined;
    return this.namedOrRenamed(connection)?.name ?? connection;
  }

  /** The origin of the connection's base URL. Undefined without the connection or a valid base URL. */
  originOf(name: string): string | undefined {
    const address = this.named(name)?.address;
    return address?.kind === "address" ? address.address.origin : undefined;
  }

  /** Whether the user has selected this connection in this workspace. Nothing is sent to any other connection. */
  isSelected({ name }: Pick<Connection, "name">): boolean {
    const isOf = (selected: string): boolean => this.#binding.hasSelected(selected);
    return name === this.current?.name || isOf(name) || this.#workspaces.formerNamesOf(name).some(isOf);
  }

  /** Number of selections for the whole workspace so far. */
  get selections(): number {
    return this.#binding.selections;
  }

  /** The selection of a new chat with this connection. */
  selectionFor(connection: Connection): ChatSelection {
    const clientStyle = this.#binding.clientStyleFor(connection.name);
    return {
      connection: connection.name,
      model: this.modelFor(connection),
      ...(clientStyle === undefined ? {} : { clientStyle }),
    };
  }

  /**
   * Takes the first of these models: workspace state, the team's setting for the active folder, the connection's, the
   * specification's.
   */
  modelFor(connection: Connection): string {
    const chosen = this.#binding.modelFor(connection.name) ?? readModelSetting(this.#folder);
    return chosen ?? connection.model ?? fallbackModel;
  }

  /** The model in use, the configured model, and recent ones, for a service without a list. */
  usedModels(connection: Connection): readonly string[] {
    const recent = this.#binding.recentModels(connection.name);
    const configured = [this.modelFor(connection), connection.model];
    return [...new Set([...configured, ...recent].filter((model) => model !== undefined))];
  }

  clientStyleFor(connection: Connection): ClientStyle {
    return this.#binding.clientStyleFor(connection.name) ?? connection.clientStyle;
  }

  /** The workspaces of this computer that were bound to a connection, newest first. */
  workspacesOf(connectionName: string): readonly KnownWorkspace[] {
    return this.#workspaces.of(connectionName);
  }

  /**
   * Returns the current connection and binds the workspace to it. Without this binding, a workspace that used the only
   * connection would switch to a later connection that replaces it.
   */
  async bindCurrent(): Promise<Connection | undefined> {
    const { current } = this;
    const name = this.#binding.connectionName;
    if (current === undefined || name === current.name) return current;
    if (name !== undefined) await this.#binding.rename(name, current.name);
    await this.bind(current);
    return current;
  }

  /** Selects the connection for new chats of this workspace, for chats without a question, and outside of chats. */
  async use(connection: Pick<Connection, "name">): Promise<void> {
    await this.#binding.count();
    await this.bind(connection);
  }

  /** Like `use`, but not as a selection: chats keep what was selected for them. */
  async bind(connection: Pick<Connection, "name">): Promise<void> {
    await this.#binding.bind(connection.name);
    const workspace = thisWorkspace();
    if (workspace !== undefined) await this.#workspaces.bind(connection.name, workspace);
    this.#changed.fire();
  }

  /** Allows chats of this workspace to use the connection, because the user has selected it for a chat. */
  async select(connection: Pick<Connection, "name">): Promise<void> {
    if (this.isSelected(connection)) return;
    await this.#binding.select(connection.name);
    this.#changed.fire();
  }

  async chooseModel(connection: Connection, model: string, from: "list" | "typed"): Promise<void> {
    await this.#binding.count();
    await this.#binding.chooseModel(connection.name, model, from);
    this.#changed.fire();
  }

  /** Adds a model to the recent ones of a connection. */
  async noteModel(connection: Pick<Connection, "name">, model: string): Promise<void> {
    await this.#binding.noteModel(connection.name, model);
  }

  /** The models that the user selected in this workspace, the last one first. */
  recentModels(connection: Pick<Connection, "name">): readonly string[] {
    return this.#binding.recentModels(connection.name);
  }

  /** With undefined, the settings apply again. */
  async chooseClientStyle(connection: Connection, clientStyle: ClientStyle | undefined): Promise<void> {
    await this.#binding.count();
    await this.#binding.chooseClientStyle(connection.name, clientStyle);
    this.#changed.fire();
  }

  /** A new connection has taken the name. Answers and choices of a connection that once had it are not its own. */
  async added(name: string): Promise<void> {
    await this.#workspaces.take(name);
  }

  async renamed(from: string, to: string): Promise<void> {
    await this.#workspaces.rename(from, to);
    await this.#binding.rename(from, to);
    this.#changed.fire();
  }

  /**
   * Forgets the choices for a removed connection. The workspace stays bound to the name, so the user must choose again,
   * even if only one connection is left. The result restores the choices.
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

/** Base URL, key variable and headers of a connection, as text to compare. */
function placeOf({ address, keyVariable, headers, faultyHeader }: Connection): string {
  const base = address.kind === "address" ? address.address.base : "";
  return JSON.stringify([base, keyVariable, headers, faultyHeader]);
}

/** The open folder or workspace file; undefined in an empty window or an unsaved workspace. */
export function thisWorkspace(): KnownWorkspace | undefined {
  const { workspaceFile, workspaceFolders, name } = vscode.workspace;
  const uri =
    workspaceFile?.scheme === "untitled" ? undefined : (workspaceFile ?? workspaceFolders?.[0]?.uri);
  return uri && { name: name ?? "", uri: uri.toString() };
}
