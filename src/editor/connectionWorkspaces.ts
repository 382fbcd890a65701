import * as v from "valibot";
import type * as vscode from "vscode";

/** A workspace as it is kept: shown on this computer only. */
export interface KnownWorkspace {
  readonly name: string;
  /** Of its folder or workspace file. */
  readonly uri: string;
}

const recordSchema = v.record(v.string(), v.array(v.object({ name: v.string(), uri: v.string() })));

const stateKey = "inference.workspaces";
/** Workspaces that are remembered per connection, the newest first. */
const most = 50;

/** Which workspaces of this computer are bound to which connection, to tell who else uses a key. */
export class ConnectionWorkspaces {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(connectionName: string): readonly KnownWorkspace[] {
    return this.#read().get(connectionName) ?? [];
  }

  /** A workspace is bound to one connection, so it is taken off the others. */
  async bind(connectionName: string, workspace: KnownWorkspace): Promise<void> {
    const records = this.#read();
    for (const [name, workspaces] of records) {
      records.set(
        name,
        workspaces.filter(({ uri }) => uri !== workspace.uri),
      );
    }
    records.set(connectionName, [workspace, ...(records.get(connectionName) ?? [])].slice(0, most));
    await this.#write(records);
  }

  async rename(from: string, to: string): Promise<void> {
    const records = this.#read();
    const workspaces = records.get(from);
    if (workspaces === undefined) return;
    records.delete(from);
    await this.#write(records.set(to, workspaces));
  }

  async forget(connectionName: string): Promise<void> {
    const records = this.#read();
    if (records.delete(connectionName)) await this.#write(records);
  }

  /** A map, since a connection may have a name that every object has. */
  #read(): Map<string, readonly KnownWorkspace[]> {
    const parsed = v.safeParse(recordSchema, this.#state.get<unknown>(stateKey));
    return new Map(parsed.success ? Object.entries(parsed.output) : []);
  }

  async #write(records: ReadonlyMap<string, readonly KnownWorkspace[]>): Promise<void> {
    const used = [...records].filter(([, workspaces]) => workspaces.length > 0);
    await this.#state.update(stateKey, Object.fromEntries(used));
  }
}
