import * as v from "valibot";
import type { State } from "./state.ts";

/** A workspace as it is kept: shown on this computer only. */
export interface KnownWorkspace {
  readonly name: string;
  /** Of its folder or workspace file. */
  readonly uri: string;
}

/** The newest first. A list, since names of connections may be what no record takes for a key. */
const listSchema = v.array(v.object({ connection: v.string(), name: v.string(), uri: v.string() }));

type BoundWorkspace = v.InferOutput<typeof listSchema>[number];

const stateKey = "inference.workspaces";
/** Workspaces that are remembered, of all connections. */
const most = 200;

/** Which workspaces of this computer are bound to which connection, to tell who else uses a key. */
export class ConnectionWorkspaces {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  of(connectionName: string): readonly KnownWorkspace[] {
    return this.#read()
      .filter(({ connection }) => connection === connectionName)
      .map(({ name, uri }) => ({ name, uri }));
  }

  /** A workspace is bound to one connection, so it is taken off the others. */
  async bind(connection: string, { name, uri }: KnownWorkspace): Promise<void> {
    const others = this.#read().filter((each) => each.uri !== uri);
    await this.#write([{ connection, name, uri }, ...others].slice(0, most));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#write(
      this.#read().map((each) => (each.connection === from ? { ...each, connection: to } : each)),
    );
  }

  /** The result brings back those that are bound to no other connection by then. */
  async forget(connectionName: string): Promise<() => Promise<void>> {
    const before = this.#read();
    await this.#write(before.filter(({ connection }) => connection !== connectionName));
    return async () => {
      const bound = this.#read();
      const uris = new Set(bound.map(({ uri }) => uri));
      await this.#write([
        ...bound,
        ...before.filter(({ connection, uri }) => connection === connectionName && !uris.has(uri)),
      ]);
    };
  }

  #read(): readonly BoundWorkspace[] {
    const parsed = v.safeParse(listSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  async #write(workspaces: readonly BoundWorkspace[]): Promise<void> {
    await this.#state.update(stateKey, workspaces);
  }
}
